import { registerSource } from '../sft/source.js'
import copyDrills from './copy-drills.js'
import nanoData from './source.js'

registerSource('nano', nanoData)
registerSource('copy-drills', copyDrills)
