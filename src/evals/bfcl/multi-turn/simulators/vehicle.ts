import { pyToFloat } from '../../../python/convert-values.js'
import { pyEquals } from '../../../python/equals.js'
import { PyError } from '../../../python/errors.js'
import { binary, truth } from '../../../python/evaluate.js'
import { atMost, getItem, greaterThan, iterate, lessThan } from '../../../python/operations.js'
import { PyDict, type PyValue, pyTypeName } from '../../../python/values.js'
import { PythonRandom } from '../../../text/mersenne-twister.js'
import { dict, failure, type Process, Simulator } from './simulator.js'

/** Public attributes in their order, with the name that a scenario gives them where it differs. */
const ATTRIBUTES: readonly (readonly [attribute: string, scenario: string])[] = [
  ['fuelLevel', 'fuelLevel'],
  ['batteryVoltage', 'batteryVoltage'],
  ['engine_state', 'engineState'],
  ['remainingUnlockedDoors', 'remainingUnlockedDoors'],
  ['doorStatus', 'doorStatus'],
  ['acTemperature', 'acTemperature'],
  ['fanSpeed', 'fanSpeed'],
  ['acMode', 'acMode'],
  ['humidityLevel', 'humidityLevel'],
  ['headLightStatus', 'headLightStatus'],
  ['parkingBrakeStatus', 'parkingBrakeStatus'],
  ['brakePedalStatus', 'brakePedalStatus'],
  ['distanceToNextVehicle', 'distanceToNextVehicle'],
  ['cruiseStatus', 'cruiseStatus'],
  ['destination', 'destination'],
  ['frontLeftTirePressure', 'frontLeftTirePressure'],
  ['frontRightTirePressure', 'frontRightTirePressure'],
  ['rearLeftTirePressure', 'rearLeftTirePressure'],
  ['rearRightTirePressure', 'rearRightTirePressure'],
]
const TIRES = ATTRIBUTES.map(([name]) => name).filter((name) => name.endsWith('TirePressure'))

const DISTANCES: readonly (readonly [string, string, number])[] = [
  ['83214', '74532', 750],
  ['56108', '62947', 320],
  ['71354', '83462', 450],
  ['47329', '52013', 290],
  ['69238', '51479', 630],
  ['94016', '83214', 980],
  ['94016', '94704', 600],
  ['94704', '08540', 2550],
  ['94016', '08540', 1950],
  ['62947', '47329', 1053],
  ['94016', '62947', 780],
  ['74532', '94016', 880],
]
const ZIP_CODES = new Map<PyValue, string>([
  ['Rivermist', '83214'],
  ['Stonebrook', '74532'],
  ['Maplecrest', '56108'],
  ['Silverpine', '62947'],
  ['Shadowridge', '71354'],
  ['Sunset Valley', '83462'],
  ['Oakendale', '47329'],
  ['Willowbend', '52013'],
  ['Crescent Hollow', '69238'],
  ['Autumnville', '51479'],
  ['San Francisco', '94016'],
])

/** VehicleControlAPI: a car. */
export class Vehicle extends Simulator {
  readonly #random: PythonRandom
  #parkingForce: PyValue
  #slope: PyValue
  #pedalForce: PyValue

  constructor(
    scenario: PyDict,
    private readonly longContext: boolean,
    private readonly process: Process,
  ) {
    super('VehicleControlAPI')
    const standard = process.constants.state('VehicleControlAPI')
    this.#random = new PythonRandom(Number(scenario.get('random_seed') ?? standard.get('random_seed') ?? 0n))
    for (const [name, key] of ATTRIBUTES) this.state.set(name, scenario.get(key) ?? standard.get(name) ?? null)
    const locked = this.#doors.values().filter((status) => status === 'locked')
    this.state.set('remainingUnlockedDoors', BigInt(4 - locked.length))
    this.#parkingForce = scenario.get('parkingBrakeForce') ?? standard.get('_parkingBrakeForce') ?? 0
    this.#slope = scenario.get('slopeAngle') ?? standard.get('_slopeAngle') ?? 0
    this.#pedalForce = scenario.get('brakePedalForce') ?? standard.get('brakePedalForce') ?? 0
    this.#addEngine()
    this.#addComfort()
    this.#addBrakes()
    this.#addDriving()
    this.#addPlaces()
  }

  get #doors(): PyDict {
    return this.get('doorStatus') as PyDict
  }

  #limit(name: string): PyValue {
    return this.process.constants.constant('VehicleControlAPI', name)
  }

  #addEngine(): void {
    this.method('startEngine', 'ignitionMode', ([mode]) => {
      if (mode === 'STOP') this.state.set('engine_state', 'stopped')
      if (greaterThan(this.get('remainingUnlockedDoors'), 0n)) {
        const open = [...this.#doors.entries()].filter(([, status]) => status === 'unlocked').map(([door]) => door)
        return failure(
          `All doors must be locked before starting the engine. Here are the unlocked doors: ${open.join(', ')}`,
        )
      }
      if (this.get('brakePedalStatus') !== 'pressed')
        return failure('Brake pedal needs to be pressed when starting the engine.')
      if (!pyEquals(this.#pedalForce, 1000)) return failure('Must press the brake fully before starting the engine.')
      if (lessThan(this.get('fuelLevel'), this.#limit('MIN_FUEL_LEVEL'))) return failure('Fuel tank is empty.')
      if (mode !== 'START') return failure('Invalid ignition mode.')
      this.state.set('engine_state', 'running')
      return dict({
        engineState: 'running',
        fuelLevel: this.get('fuelLevel'),
        batteryVoltage: this.get('batteryVoltage'),
      })
    })
    this.method('fillFuelTank', 'fuelAmount', ([amount]) => {
      if (lessThan(amount!, 0n)) return failure('Fuel amount cannot be negative.')
      const level = binary('+', this.get('fuelLevel'), amount!)
      if (greaterThan(level, this.#limit('MAX_FUEL_LEVEL'))) return failure('Cannot fill gas above the tank capacity.')
      if (lessThan(level, this.#limit('MIN_FUEL_LEVEL')))
        return failure('Fuel tank is empty. Min fuel level is 0 gallons.')
      this.state.set('fuelLevel', level)
      return dict({ fuelLevel: level })
    })
    this.method('lockDoors', 'unlock, door', ([unlock, doors]) => {
      const wanted = truth(unlock!) ? 'unlocked' : 'locked'
      for (const door of iterate(doors!)) {
        if (getItem(this.#doors, door) === wanted) continue
        this.#doors.set(door, wanted)
        const operator = wanted === 'unlocked' ? '+' : '-'
        this.state.set('remainingUnlockedDoors', binary(operator, this.get('remainingUnlockedDoors'), 1n))
      }
      return dict({ lockStatus: wanted, remainingUnlockedDoors: this.get('remainingUnlockedDoors') })
    })
    this.method('liter_to_gallon', 'liter', ([liter]) => dict({ gallon: binary('*', liter!, 0.264172) }))
    this.method('gallon_to_liter', 'gallon', ([gallon]) => dict({ liter: binary('*', gallon!, 3.78541) }))
    this.method('displayCarStatus', 'option', ([option]) => this.#status(option!))
  }

  #status(option: PyValue): PyDict {
    const status = new PyDict()
    if (this.longContext) status.set('metadata', this.process.constants.extension('CAR_STATUS_METADATA_EXTENSION'))
    const add = (members: Readonly<Record<string, PyValue>>): PyDict => {
      for (const [name, value] of Object.entries(members)) status.set(name, value)
      return status
    }
    switch (option) {
      case 'fuel':
        return add({ fuelLevel: this.get('fuelLevel') })
      case 'battery':
        return add({ batteryVoltage: this.get('batteryVoltage') })
      case 'doors':
        return add({ doorStatus: this.#doors })
      case 'climate':
        return add({
          currentACTemperature: this.get('acTemperature'),
          fanSpeed: this.get('fanSpeed'),
          climateMode: this.get('acMode'),
          humidityLevel: this.get('humidityLevel'),
        })
      case 'headlights':
        return add({ headlightStatus: this.get('headLightStatus') })
      case 'parkingBrake':
        return add({
          parkingBrakeStatus: this.get('parkingBrakeStatus'),
          parkingBrakeForce: this.#parkingForce,
          slopeAngle: this.#slope,
        })
      case 'brakePedal':
        return add({ brakePedalStatus: this.get('brakePedalStatus'), brakePedalForce: this.#pedalForce })
      case 'engine':
        return add({ engineState: this.get('engine_state') })
      default:
        return add({ error: 'Invalid option' })
    }
  }

  #addComfort(): void {
    this.method(
      'adjustClimateControl',
      "temperature, unit='celsius', fanSpeed=50, mode='auto'",
      ([temperature, unit, fan, mode]) => {
        if (!(atMost(0n, fan!) && atMost(fan!, 100n))) return failure('Fan speed must be between 0 and 100.')
        this.state.set('acTemperature', temperature!)
        if (unit === 'fahrenheit')
          this.state.set('acTemperature', binary('/', binary('*', binary('-', temperature!, 32n), 5n), 9n))
        this.state.set('fanSpeed', fan!)
        this.state.set('acMode', mode!)
        return dict({
          currentACTemperature: temperature!,
          climateMode: mode!,
          humidityLevel: this.get('humidityLevel'),
        })
      },
    )
    this.method('get_outside_temperature_from_google', '', () => {
      const outside = this.#random.uniform(-10, 40)
      if (!this.longContext) return dict({ outsideTemperature: outside })
      const weather = this.process.constants.extension('LONG_WEATHER_EXTENSION') as PyDict
      return weather.set('outsideTemperature', outside)
    })
    this.method('get_outside_temperature_from_weather_com', '', () => dict({ error: 404n }))
    this.method('setHeadlights', 'mode', ([mode]) => {
      if (mode !== 'on' && mode !== 'off' && mode !== 'auto') return failure('Invalid headlight mode.')
      const status = mode === 'on' ? 'on' : 'off'
      this.state.set('headLightStatus', status)
      return dict({ headlightStatus: status })
    })
    this.method('display_log', 'messages', ([messages]) => dict({ log: messages! }))
    this.method('check_tire_pressure', '', () => {
      const pressures = TIRES.map((name) => this.get(name))
      const mean = binary(
        '/',
        pressures.slice(1).reduce((sum, one) => binary('+', sum, one), pressures[0]!),
        4n,
      )
      const status = dict(Object.fromEntries(TIRES.map((name) => [name, this.get(name)])))
      status.set('healthy_tire_pressure', atMost(30n, mean) && atMost(mean, 35n))
      return status.set(
        'car_info',
        this.longContext ? this.process.constants.extension('CAR_STATUS_METADATA_EXTENSION') : new PyDict(),
      )
    })
  }

  #addBrakes(): void {
    this.method('activateParkingBrake', 'mode', ([mode]) => {
      if (mode !== 'engage' && mode !== 'release') return failure('Invalid mode')
      const status = mode === 'engage' ? 'engaged' : 'released'
      this.state.set('parkingBrakeStatus', status)
      this.#parkingForce = mode === 'engage' ? 500 : 0
      this.#slope = 10
      return dict({
        ...(this.longContext && {
          parkingBrakeInstruction: this.process.constants.extension('PARKING_BRAKE_INSTRUCTION'),
        }),
        parkingBrakeStatus: status,
        _parkingBrakeForce: this.#parkingForce,
        _slopeAngle: this.#slope,
      })
    })
    this.method('pressBrakePedal', 'pedalPosition', ([position]) => {
      if (!(atMost(0n, position!) && atMost(position!, 1n))) return failure('Pedal position must be between 0 and 1.')
      if (pyEquals(position!, 0n)) return this.#releasePedal()
      this.#pedalForce = binary('*', position!, 1000n)
      this.state.set('brakePedalStatus', 'pressed')
      return dict({ brakePedalStatus: 'pressed', brakePedalForce: pyToFloat(this.#pedalForce) })
    })
    this.method('releaseBrakePedal', '', () => this.#releasePedal())
  }

  #releasePedal(): PyDict {
    this.state.set('brakePedalStatus', 'released')
    this.#pedalForce = 0
    return dict({ brakePedalStatus: 'released', brakePedalForce: 0 })
  }

  #addDriving(): void {
    this.method(
      'setCruiseControl',
      'speed, activate, distanceToNextVehicle',
      ([wantedSpeed, activate, wantedDistance]) => {
        const distance = pyToFloat(wantedDistance!)
        const speed = pyToFloat(wantedSpeed!)
        if (this.get('engine_state') === 'stopped')
          return failure('Start the engine before activating the cruise control.')
        this.state.set('distanceToNextVehicle', distance)
        if (truth(activate!) && (speed < 0 || speed > 120 || speed % 5 !== 0)) return failure('Invalid speed')
        const status = truth(activate!) ? 'active' : 'inactive'
        this.state.set('cruiseStatus', status)
        return dict({ cruiseStatus: status, currentSpeed: speed, distanceToNextVehicle: distance })
      },
    )
    this.method('get_current_speed', '', () => dict({ currentSpeed: this.#random.uniform(0, 120) }))
    this.method('estimate_drive_feasibility_by_mileage', 'distance', ([distance]) => {
      const reach = binary('*', this.get('fuelLevel'), this.#limit('MILE_PER_GALLON'))
      return dict({ canDrive: !lessThan(reach, distance!) })
    })
  }

  #addPlaces(): void {
    this.method('estimate_distance', 'cityA, cityB', ([a, b]) => {
      const found = DISTANCES.find(([one, other]) => (one === a && other === b) || (one === b && other === a))
      const distance = found ? dict({ distance: found[2] }) : failure('distance not found in database.')
      if (this.longContext) distance.set('intermediaryCities', this.process.constants.extension('INTERMEDIARY_CITIES'))
      return distance
    })
    this.method('get_zipcode_based_on_city', 'city', ([city]) => dict({ zipcode: ZIP_CODES.get(city!) ?? '00000' }))
    this.method('set_navigation', 'destination', ([destination]) => {
      // The attribute is set before the text is built, so a wrong type leaves its mark.
      this.state.set('destination', destination!)
      if (typeof destination !== 'string')
        throw new PyError('TypeError', `can only concatenate str (not "${pyTypeName(destination!)}") to str`)
      return dict({ status: `Navigating to ${destination}` })
    })
    this.method('find_nearest_tire_shop', '', () => dict({ shopLocation: '456 Oakwood Avenue, Rivermist, 83214' }))
  }
}
