import { describe, expect, it } from 'vitest'
import { parsePythonJson } from '../../python/json.js'
import type { PyDict } from '../../python/values.js'
import { checkMultiTurn, executeTurns, type MultiTurnScenario } from './check.js'

const DEFAULTS = parsePythonJson(
  `{"username": "ann", "password": "p", "authenticated": true, "tweets": {}, "comments": {}, "retweets": {},
    "following_list": [], "tweet_counter": 0}`,
) as PyDict
const newProcess = () => ({
  constants: { state: () => DEFAULTS, extension: () => null, constant: () => null },
  shared: new Map(),
})
const config = parsePythonJson(
  `{"GorillaFileSystem": {"root": {"home": {"type": "directory", "contents": {
     "a.txt": {"type": "file", "content": "one\\ntwo"}, "box": {"type": "directory", "contents": {}}}}}}}`,
) as PyDict
const scenario = (
  truth: readonly (readonly string[])[],
  classes = ['GorillaFileSystem', 'MathAPI'],
): MultiTurnScenario => ({
  id: 'multi_turn_base_0',
  classes,
  config,
  truth,
})
const results = (calls: string[], classes?: string[]) =>
  executeTurns(scenario([], classes), [[calls]], newProcess)[0]![0]!
const verdict = (turns: string[][][], truth: string[][]) => checkMultiTurn(scenario(truth), turns, newProcess)

describe('the executor', () => {
  it('gives dicts as JSON, all else as str, and errors as Python words them', () => {
    expect(
      results([
        'ls()',
        "mkdir(dir_name='x')",
        "cd('box')",
        "cd(folder='..')",
        'add(a=1)',
        'wc()',
        "wc('a.txt', 'l', 1)",
        "wc('a.txt', file_name='b')",
        'ls(all=True)',
        'ls(',
        'exit()',
        '1/0',
        'mean(numbers=[add(a=1, b=2)["result"], 2])',
        'square_root(number=2, precision=5)',
        "touch(['a'])",
        "echo(content='see wc (now) and rm (it)')",
      ]),
    ).toEqual([
      '{"current_directory_content": ["a.txt", "box"]}',
      'None',
      '{"current_working_directory": "box"}',
      '{}',
      "Error during execution: MathAPI.add() missing 1 required positional argument: 'b'",
      "Error during execution: GorillaFileSystem.wc() missing 1 required positional argument: 'file_name'",
      'Error during execution: GorillaFileSystem.wc() takes from 2 to 3 positional arguments but 4 were given',
      "Error during execution: GorillaFileSystem.wc() got multiple values for argument 'file_name'",
      "Error during execution: GorillaFileSystem.ls() got an unexpected keyword argument 'all'",
      "Error during execution: '(' was never closed (<string>, line 1)",
      'Error during execution: Function call exit is not allowed.',
      'Error during execution: division by zero',
      '{"result": 2.5}',
      "{'result': Decimal('1.4142')}",
      "Error during execution: unhashable type: 'list'",
      '{"terminal_output": "see model_eval_multi_turn_base_0_GorillaFileSystem_instance.wc(now) and model_eval_multi_turn_base_0_GorillaFileSystem_instance.rm(it)"}',
    ])
  })

  it('keeps one list for all calls that leave mentions out, as Python keeps its defaults', () => {
    const said = results(
      ["post_tweet(content='a')", "mention(tweet_id=0, mentioned_usernames=['@b'])", "post_tweet(content='c')"],
      ['TwitterAPI'],
    )
    expect(said[2]).toBe('{"id": 1, "username": "ann", "content": "c", "tags": [], "mentions": ["@b"]}')
  })

  it('survives a directory that holds itself', () => {
    const said = results(["cp(source='box', destination='box')", 'du()', 'find()', "mv('box', 'box')"])
    expect(said[1]).toContain('maximum recursion depth exceeded')
    expect(said[2]).toContain('maximum recursion depth exceeded')
  })
})

describe('the checker', () => {
  const move = "mv(source='a.txt', destination='box')"
  it('accepts any order within the turn and reads before it', () => {
    expect(verdict([[['ls()']], [[move], ["cd('box')"]]], [['ls()'], [move, "cd('box')"]])).toEqual({
      valid: true,
      error: null,
    })
    expect(verdict([[['add(a=1,b=2)', 'add(a=2,b=2)']]], [['add(a=2,b=2)', 'add(a=1,b=2)']]).valid).toBe(true)
  })
  it('names what is wrong, and where', () => {
    expect(verdict([[]], [['ls()']])).toMatchObject({ error: 'multi_turn:empty_turn_model_response', turn: 0 })
    expect(verdict([[[]]], [['ls()']])).toMatchObject({ error: 'multi_turn:empty_turn_model_response', turn: 0 })
    expect(verdict([[['ls()']], [['ls()']]], [['ls()'], [move]])).toEqual({
      valid: false,
      error: 'multi_turn:instance_state_mismatch',
      turn: 1,
      differing: ['root'],
    })
    expect(verdict([[['pwd()']]], [['ls()']])).toMatchObject({
      error: 'multi_turn:execution_response_mismatch',
      turn: 0,
    })
    // A result counts once: two accepted calls need two.
    expect(verdict([[['ls()']]], [['ls()', 'ls()']]).error).toBe('multi_turn:execution_response_mismatch')
    expect(verdict([[['ls()']]], [['ls()'], ['ls()']]).error).toBe('multi_turn:force_terminated')
  })
  it('executes calls of a turn that should have none, and looks at the state only in the next', () => {
    expect(verdict([[[move]], [['pwd()']]], [[], ['pwd()']])).toMatchObject({
      error: 'multi_turn:instance_state_mismatch',
      turn: 1,
    })
    expect(verdict([[['ls()']], [['pwd()']]], [[], ['pwd()']]).valid).toBe(true)
  })
})
