import { readFile, stat } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { convertHfToGguf, type ModelFileInfo, modelInfo, quantizeGguf, type WritableType } from '../model/index.js'

const TYPES: readonly WritableType[] = ['F32', 'F16', 'BF16', 'Q8_0']

/**
 * Adds `model info|convert|quantize` to the program. Failures are printed as one line and end with exit code 1; a half-written
 * result is never left behind.
 */
export function registerModelCommand(program: Command): void {
  const model = program.command('model').description('look into, convert and quantise model files')
  model
    .command('info')
    .description('what a GGUF file, a safetensors file or a folder saved by transformers holds')
    .argument('<file>', 'file or folder')
    .option('--json', 'print one JSON object')
    .action((file: string, options: { json?: boolean }) =>
      guarded(async () => {
        const info = await modelInfo(file)
        process.stdout.write(options.json === true ? `${JSON.stringify(info)}\n` : describe(info))
      }),
    )
  model
    .command('convert')
    .description('turn a Qwen3.5 folder saved by transformers into one GGUF file')
    .argument('<folder>', 'folder with config.json, tokenizer.json and safetensors')
    .requiredOption('-o, --out <file>', 'GGUF file to write')
    .option('--type <type>', `type of the matrices: ${TYPES.join(', ')}`, writableType, 'BF16')
    .option('--chat-template <file>', 'Jinja file that takes the place of the folder’s own')
    .option('--name <name>', 'name of the model (default: the folder’s)')
    .action((folder: string, options: { out: string; type: WritableType; chatTemplate?: string; name?: string }) =>
      guarded(async () => {
        await convertHfToGguf(folder, options.out, {
          dtype: options.type,
          ...(options.name !== undefined && { name: options.name }),
          ...(options.chatTemplate !== undefined && { chatTemplate: await readFile(options.chatTemplate, 'utf8') }),
        })
        process.stdout.write(await written(options.out))
      }),
    )
  model
    .command('quantize')
    .description('write a copy of a GGUF file with its matrices as another type')
    .argument('<file>', 'GGUF file')
    .requiredOption('-o, --out <file>', 'GGUF file to write')
    .option('--type <type>', `type of the matrices: ${TYPES.join(', ')}`, writableType, 'Q8_0')
    .action((file: string, options: { out: string; type: WritableType }) =>
      guarded(async () => {
        await quantizeGguf(file, options.out, options.type)
        process.stdout.write(await written(options.out))
      }),
    )
}

async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function writableType(text: string): WritableType {
  const type = TYPES.find((one) => one === text.toUpperCase())
  if (type === undefined) throw new InvalidArgumentError(`one of ${TYPES.join(', ')} is expected`)
  return type
}

async function written(file: string): Promise<string> {
  return `${file}: ${megabytes((await stat(file)).size)} written\n`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`
}

function describe(info: ModelFileInfo): string {
  const types = Object.entries(info.types)
    .sort(([, a], [, b]) => b - a)
    .map(([type, tensors]) => `${tensors} × ${type}`)
    .join(', ')
  const rows: [string, unknown][] = [
    ['file', info.path],
    ['format', info.format],
    ['name', info.name],
    ['kind', info.kind],
    ['architecture', info.architecture],
    ['licence', info.license],
    [
      'weights',
      `${info.parameters.toLocaleString('en')} in ${info.tensors} tensors, ${megabytes(info.tensorBytes)} (${types})`,
    ],
    ['layers', info.layers],
    ['hidden size', info.embeddingLength],
    ['context', info.contextLength === undefined ? undefined : `${info.contextLength} tokens`],
    ['vocabulary', info.vocabulary === undefined ? undefined : `${info.vocabulary} (${info.tokenizer})`],
    ['chat template', info.chatTemplate === undefined ? undefined : info.chatTemplate ? 'yes' : 'none'],
  ]
  const shown = rows.filter(([, value]) => value !== undefined)
  return `${shown.map(([label, value]) => `${label.padEnd(14)}${String(value)}`).join('\n')}\n`
}
