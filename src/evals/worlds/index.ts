export { type NeedlessAsk, type WorldFigures, worldFigures } from './figures.js'
export { playWorlds, WORLD_POLICIES, type WorldPlayOptions, type WorldPolicy } from './play.js'
export { formatWorldFigures } from './report.js'
export { type Transcript, transcriptOf } from './transcript.js'
