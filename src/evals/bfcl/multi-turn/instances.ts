import { deepCopy } from '../../python/deep-copy.js'
import { PyDict, type PyValue } from '../../python/values.js'
import { BfclDataError } from '../cases.js'
import { FileSystem } from './simulators/file-system.js'
import { Maths } from './simulators/maths.js'
import { Messages } from './simulators/messages.js'
import { Posting } from './simulators/posting.js'
import type { Process, Simulator } from './simulators/simulator.js'
import { Tickets } from './simulators/tickets.js'
import { Trading } from './simulators/trading.js'
import { Travel } from './simulators/travel.js'
import { Vehicle } from './simulators/vehicle.js'

type Make = (scenario: PyDict, longContext: boolean, process: Process) => Simulator

const CLASSES: Readonly<Record<string, Make>> = {
  GorillaFileSystem: (...given) => new FileSystem(...given),
  MathAPI: () => new Maths(),
  MessageAPI: (...given) => new Messages(...given),
  TwitterAPI: (...given) => new Posting(...given),
  TicketAPI: (...given) => new Tickets(...given),
  TradingBot: (...given) => new Trading(...given),
  TravelAPI: (...given) => new Travel(...given),
  VehicleControlAPI: (...given) => new Vehicle(...given),
}

/**
 * New instances of the classes of a case, by class name, in its order.
 * @throws BfclDataError for a class that is not known
 */
export function createInstances(
  classes: readonly string[],
  config: PyDict,
  longContext: boolean,
  process: Process,
): Map<string, Simulator> {
  return new Map(
    classes.map((name) => {
      const make = CLASSES[name]
      if (!make) throw new BfclDataError('initial_config', name, 'there is no such class')
      const given: PyValue = config.get(name) ?? null
      return [name, make(given instanceof PyDict ? deepCopy(given) : new PyDict(), longContext, process)]
    }),
  )
}
