import { registerSource } from '../sft/source.js'
import nanoData from './source.js'

registerSource('nano', nanoData)
