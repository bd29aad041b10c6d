import type { RequestGrammar } from './requests.js'

/** How people ask for the tools of files and device control. */
export const deviceRequests: readonly RequestGrammar[] = [
  {
    tool: 'file_list',
    templates: [
      '(list|show|what are) (the|all|my) files [in {folder}|in the {folder} folder|under {folder}]',
      "(what is|what's) in (the|my) {folder} (folder|directory)",
      '(show|open) the {folder} folder',
      'which files do i have in {folder}',
      'list my {folder} folder',
    ],
  },
  {
    tool: 'file_search',
    templates: [
      '(find|search for|look for) (files|the file|documents) (about|with|named|that mention|containing) {query:fileQuery}',
      'which file mentions {query:fileQuery}',
      '(search|go through) my files for {query:fileQuery}',
      'where did i save (the|my) {query:fileQuery} (file|document)',
      'is there a file about {query:fileQuery}',
    ],
  },
  {
    tool: 'file_read',
    templates: [
      '(read|open|show|print) [me] [the file] {path}',
      "(what is|what's) in [the file] {path}",
      'what does {path} say',
      '(read|show) me the contents of {path}',
    ],
  },
  {
    tool: 'file_write',
    templates: [
      '(create|make|write|save) (a|the) file [called|named] {path} (with|saying|that says) {text:fileText}',
      '(write|save) {text:fileText} (to|in|into|as) {path}',
      'create {path} with the text {text:fileText}',
      'make a new file {path} that says {text:fileText}',
    ],
  },
  { tool: 'file_write', templates: ['(create|make) a [new|text] file [called {path}]', 'write a file'] },
  {
    tool: 'file_append',
    templates: [
      '(append|add) {text:fileText} to [the file|the end of] {path}',
      'add a line to {path} (saying|that says) {text:fileText}',
      'put {text:fileText} at the end of {path}',
    ],
  },
  {
    tool: 'file_move',
    templates: [
      '(move|rename) {path} to {to:path}',
      '(move|put) {path} (to|into) [the] {to:folder} [folder]',
      'rename [the file] {path} (to|as) {to:path}',
    ],
  },
  {
    tool: 'file_trash',
    templates: [
      '(delete|trash|remove|get rid of|bin) [the file] {path}',
      '(move|throw|put) {path} (to|in|into) the (trash|bin)',
      'i do not need {path} anymore',
    ],
  },
  {
    tool: 'device_list',
    templates: [
      '(list|show|what are) (my|the|all) [smart] devices [in the {room}]',
      '(which|what) devices (do i have|are there) [in the {room}]',
      'what can you control [in the {room}]',
    ],
  },
  {
    tool: 'device_state',
    templates: [
      'is the {device} (on|off|running)',
      'are the lights on in the {room}',
      'is the {device:lamp} on',
      'did i leave the {device} on',
      '(what is|check) the (state|status) of the {device}',
      'is the {device:door} (locked|open|closed)',
      'how bright is the {device:lamp} [in the {room}]',
    ],
  },
  {
    tool: 'light_switch',
    fixed: { state: 'on' },
    templates: [
      '(turn|switch|put) on the light[s] [in the {room}]',
      '(turn|switch) the {room} light[s] on',
      '(turn|switch) on the {device:lamp} [in the {room}]',
      'lights on [in the {room}] please',
      'it is (dark|too dark) in the {room}',
      'turn the lights on {when:date}',
      'i need (some light|light) in the {room}',
    ],
  },
  {
    tool: 'light_switch',
    fixed: { state: 'off' },
    templates: [
      '(turn|switch|shut) off the light[s] [in the {room}]',
      '(turn|switch) the {room} light[s] off',
      '(turn|switch) off the {device:lamp} [in the {room}]',
      'lights (off|out) [in the {room}]',
      'turn the lights off at {when:time}',
      'kill the lights in the {room}',
      'no lights in the {room}',
    ],
  },
  {
    tool: 'light_color',
    templates: [
      '(make|turn|set|change) the light[s] [to] {color}',
      '(make|turn|set|change) the {room} light[s] [to] {color}',
      '{color} light[s] in the {room}',
      '(set|change) the color of the {device:lamp} to {color}',
      'i want {color} light[s]',
    ],
  },
  { tool: 'light_color', templates: ['change the (color|colour) of the light[s] [in the {room}]'] },
  {
    tool: 'light_adjust',
    fixed: { direction: 'up' },
    templates: [
      '(brighten|raise|turn up) the light[s] [in the {room}]',
      'make (it|the {room}|the lights) brighter',
      '(brighten|raise|turn up) the {device:lamp} [by {amount:percent}]',
      'increase the brightness in the {room} [to {amount:percent}]',
      'more light please',
    ],
  },
  {
    tool: 'light_adjust',
    fixed: { direction: 'down' },
    templates: [
      '(dim|lower|turn down) the light[s] [in the {room}] [to {amount:percent}]',
      '(dim|lower) the {device:lamp} [by {amount:percent}]',
      'make (it|the {room}|the lights) (darker|dimmer|less bright)',
      'it is too bright [in the {room}]',
      'reduce the brightness [by {amount:percent}]',
    ],
  },
  {
    tool: 'plug_switch',
    fixed: { state: 'on' },
    templates: [
      '(turn|switch|power) on the {device} [in the {room}]',
      '(turn|switch) the {device} on',
      'start the {device} [in {when:duration}|at {when:time}]',
      'plug in the {device}',
      'power to the {device} please',
    ],
  },
  {
    tool: 'plug_switch',
    fixed: { state: 'off' },
    templates: [
      '(turn|switch|power|shut) off the {device} [in the {room}]',
      '(turn|switch|shut) the {device} (off|down)',
      'stop the {device} [in {when:duration}|at {when:time}]',
      'cut the power (to|of) the {device}',
      'unplug the {device}',
    ],
  },
  {
    tool: 'volume_adjust',
    fixed: { direction: 'up' },
    templates: [
      '(turn it|volume|turn the volume|crank it) up [by {amount:percent}]',
      'louder [please]',
      '(raise|increase) the volume [of the {device}]',
      'i can not hear (it|you|the music)',
    ],
  },
  {
    tool: 'volume_adjust',
    fixed: { direction: 'down' },
    templates: [
      '(turn it|volume|turn the volume) down [by {amount:percent}]',
      '(quieter|softer) [please]',
      '(lower|reduce|decrease) the volume [of the {device}]',
      'that is too loud',
    ],
  },
  {
    tool: 'volume_adjust',
    fixed: { direction: 'mute' },
    templates: [
      'mute [the {device}|the sound|everything] [for {when:duration}]',
      'be quiet for {when:duration}',
      'silence [please]',
      'turn the sound off',
    ],
  },
  {
    tool: 'volume_adjust',
    fixed: { direction: 'unmute' },
    templates: ['unmute [the {device}|the sound]', 'turn the sound back on', 'sound on again'],
  },
  {
    tool: 'volume_adjust',
    fixed: { direction: 'set' },
    templates: [
      '(set|change) the volume [of the {device}] to {amount:percent}',
      'volume {amount:small}',
      'volume at {amount:percent}',
    ],
  },
  {
    tool: 'vacuum_start',
    templates: [
      '(vacuum|clean|hoover) the {room} [{when:date}|at {when:time}]',
      '(start|run|turn on) the (vacuum|robot vacuum|roomba)',
      '(start|run) the {device:vacuum} in the {room}',
      'the {room} (is dirty|needs cleaning)',
      'send the {device:vacuum} to the {room}',
    ],
  },
  {
    tool: 'coffee_make',
    templates: [
      '(make|brew|prepare) (me|us|) (a|an|some|) {coffee} [please]',
      'i (want|need|would like) (a|an|) {coffee}',
      '(start|turn on) the (coffee machine|coffee maker) [at {when:time}]',
      'coffee [please]',
      '(make|have) a {coffee} ready (at|by) {when:time}',
    ],
  },
  {
    tool: 'scene_set',
    templates: [
      '(set|activate|start|turn on|switch to) [the] {scene} (scene|mode)',
      '{scene} mode [please]',
      'make it a {scene} (scene|mood)',
      'it is time for {scene} mode',
    ],
  },
  {
    tool: 'lock_set',
    fixed: { state: 'lock' },
    templates: [
      '(lock|close and lock|bolt) (the|my) {door}',
      'is the {door} locked if not lock it',
      'lock up the {door}',
      'make sure the {door} is locked',
    ],
  },
  {
    tool: 'lock_set',
    fixed: { state: 'unlock' },
    templates: [
      '(unlock|open the lock of) (the|my) {door}',
      'unlock the {door} for {:first}',
      'let {:first} in through the {door}',
    ],
  },
  {
    tool: 'thermostat_set',
    templates: [
      '(set|turn|put) the (heating|thermostat|temperature) [in the {room}] to {temperature}',
      '(make it|heat the {room} to) {temperature}',
      'i want {temperature} in the {room}',
      '(set|warm) the {room} to {temperature}',
    ],
  },
  { tool: 'thermostat_set', templates: ['(turn on|adjust|change) the (heating|thermostat) [in the {room}]'] },
  {
    tool: 'music_play',
    templates: [
      'play {music}',
      '(play|put on|i want to hear|let me hear) {music} [on {service}]',
      '(play|start|shuffle) my {playlist} playlist [on {service}]',
      '(play|put on) some music',
      'use {service} to play {music}',
      'play the playlist {playlist}',
    ],
  },
  {
    tool: 'music_info',
    templates: [
      '(what|which) song is (this|playing|on)',
      'who (sings|wrote|plays) {music:song}',
      'what is this (song|track) [called]',
      'what album is {music:song} (on|from)',
      'who is singing',
      'tell me about {music:artist}',
    ],
  },
  {
    tool: 'music_rate',
    fixed: { liking: 'like' },
    templates: [
      'i (love|like|really like) {music:artist}',
      'i (love|like) this song',
      '(save|like|favorite) this song',
      'thumbs up for {music:song}',
      '{music:genre} is my favorite',
    ],
  },
  {
    tool: 'music_rate',
    fixed: { liking: 'dislike' },
    templates: [
      'i (hate|do not like|dislike|cannot stand) {music:artist}',
      "(don't|never) play {music:genre} again",
      'i (hate|do not like) this song',
      'thumbs down for {music:song}',
    ],
  },
  {
    tool: 'playlist_add',
    templates: [
      '(add|put) {music:song} (to|on) {owner:my} {playlist} [playlist]',
      '(add|put) {music:artist} (to|on) the {playlist} playlist',
      '(add|put) {music:song} (to|onto) {owner} {playlist}',
    ],
  },
  {
    tool: 'media_control',
    templates: [
      '{action:pause} [the music|it|this]',
      '{action:skip} (this song|this one|this track)',
      '{action:repeatWord} this (song|track)',
      '{action:shuffle} [my music|the songs|this album]',
      '{action:next} song [please]',
      '{action:previous} track',
      '{action:resume} [playing|the music]',
    ],
  },
  {
    tool: 'radio_play',
    templates: [
      '(play|turn on|tune in to|put on) {station}',
      '(play|turn on) the radio [in the {room}]',
      'i want to (listen to|hear) {station} [on {service}]',
      'switch the radio to {station}',
    ],
  },
  {
    tool: 'podcast_play',
    templates: [
      'play the [podcast] {podcast} [podcast]',
      'play the {episode:episodeWord} (of {podcast}|episode of {podcast})',
      '{action:resume} the podcast',
      'i want to hear the podcast {podcast}',
      '{action:skip} to the {episode:episodeWord}',
    ],
  },
  {
    tool: 'audiobook_play',
    templates: [
      '{action:readWord} [me] [the audiobook] {book}',
      '{action:resume} [my audiobook|the book] {book}',
      '{action:resume} my audiobook',
      '{action:pause} the audiobook',
      'i want to listen to the audiobook {book}',
    ],
  },
  {
    tool: 'game_play',
    templates: [
      "(let's|i want to|) play {game} [with me]",
      '(open|start|launch) [the game] {game}',
      'play a game',
      'are you up for {game}',
    ],
  },
]
