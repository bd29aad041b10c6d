/** How a slot of an annotated request becomes an argument. `places` splits several slots over `from` and `to`. */
export type SlotTarget = string

/** One row of the reviewed table: which tool serves an intent, and where its slots go. */
export interface IntentRow {
  /** Name of the tool contract. */
  readonly tool: string
  /** Arguments that the intent itself decides (on or off, up or down). */
  readonly fixed?: { readonly [parameter: string]: string }
  /** Slot name to parameter, or to `from/to` (decided by prepositions). Slots that are absent follow `COMMON_SLOTS`. */
  readonly slots?: { readonly [slot: string]: SlotTarget }
  /** Names of rules in mapping-rules.ts that read what slots do not say. */
  readonly rules?: readonly string[]
}

/** Marks slots whose parameter is decided by the words around them. */
export const FROM_TO = 'from/to'

/**
 * Where a slot goes when the row does not say: the first of these parameters that the tool has. Slot names are those of
 * the corpora (HWU64 and SLURP in lower case with underscores, Snips and xSID after them).
 */
export const COMMON_SLOTS: { readonly [slot: string]: readonly string[] } = {
  date: ['when', 'time'],
  time: ['when', 'time', 'duration'],
  timeofday: ['when', 'time'],
  time_zone: ['place', 'to'],
  general_frequency: ['repeat', 'when'],
  person: ['people', 'name', 'from', 'music', 'topic', 'station', 'podcast', 'to', 'about', 'label', 'event', 'item'],
  relation: ['people', 'name', 'from', 'to', 'label'],
  place_name: ['place', 'to', 'room', 'list'],
  house_place: ['room', 'place'],
  device_type: ['device'],
  event_name: ['title', 'label', 'event', 'movie', 'topic', 'about', 'subject', 'kind'],
  meal_type: ['title', 'food', 'kind', 'dish'],
  food_type: ['food', 'dish', 'kind'],
  drink_type: ['food', 'dish', 'kind'],
  ingredient: ['dish', 'food'],
  business_name: ['company', 'restaurant', 'from', 'place', 'to', 'name', 'kind', 'title'],
  business_type: ['kind', 'from', 'place', 'event', 'title'],
  app_name: ['service', 'site'],
  media_type: ['site', 'source', 'music', 'station', 'podcast', 'title'],
  personal_info: ['detail'],
  email_address: ['email', 'to', 'from'],
  email_folder: ['folder'],
  list_name: ['list'],
  artist_name: ['music', 'book'],
  song_name: ['music'],
  music_genre: ['music', 'station'],
  music_album: ['music'],
  music_descriptor: ['music'],
  playlist_name: ['playlist', 'music'],
  movie_name: ['movie', 'music'],
  movie_type: ['kind'],
  news_topic: ['topic', 'about', 'company'],
  player_setting: ['action'],
  change_amount: ['amount'],
  color_type: ['color'],
  coffee_type: ['coffee'],
  order_type: ['how'],
  radio_name: ['station', 'podcast'],
  transport_type: ['mode', 'service'],
  transport_name: ['mode'],
  transport_descriptor: ['mode'],
  transport_agency: ['service', 'mode'],
  weather_descriptor: ['condition'],
  alarm_type: ['label'],
  currency_name: ['company'],
  // Snips
  timeRange: ['when'],
  city: ['place'],
  state: ['place'],
  country: ['place'],
  poi: ['place'],
  geographic_poi: ['place'],
  current_location: ['place'],
  spatial_relation: ['place'],
  condition_temperature: ['condition'],
  condition_description: ['condition'],
  artist: ['music'],
  track: ['music'],
  album: ['music'],
  genre: ['music'],
  music_item: ['music'],
  entity_name: ['music'],
  year: ['music'],
  sort: ['sort', 'music'],
  service: ['service'],
  playlist: ['playlist'],
  playlist_owner: ['owner'],
  // xSID
  datetime: ['when', 'music'],
  recurring_datetime: ['repeat', 'when'],
  location: ['place'],
  'weather/attribute': ['condition'],
  'reminder/todo': ['title', 'label'],
}

const transport = { place_name: FROM_TO, business_name: FROM_TO, business_type: FROM_TO } as const

/**
 * The reviewed table: every intent of HWU64, SLURP, Snips and xSID except `general_*`. What is merged and why:
 * names of songs, artists and albums go to one parameter (a bare name tells nobody which it is); date, time and time of
 * day are one phrase that code resolves; place and nearness are one phrase; the parts of a rating are one phrase.
 */
export const INTENT_TABLE: { readonly [intent: string]: IntentRow } = {
  alarm_set: { tool: 'alarm_set' },
  alarm_query: { tool: 'alarm_list' },
  alarm_remove: { tool: 'alarm_cancel' },
  calendar_set: { tool: 'calendar_create' },
  calendar_query: { tool: 'calendar_search' },
  calendar_remove: { tool: 'calendar_cancel' },
  datetime_query: { tool: 'time_get', slots: { event_name: 'when' } },
  datetime_convert: { tool: 'time_convert', slots: { place_name: FROM_TO, time_zone: FROM_TO } },
  email_sendemail: {
    tool: 'email_send',
    slots: { person: 'to', relation: 'to', business_name: 'to', email_address: 'to' },
    rules: ['emailKind', 'messageText'],
  },
  email_query: { tool: 'email_search', rules: ['mailAbout'] },
  email_querycontact: { tool: 'contact_find', slots: { event_name: 'detail', place_name: 'detail' } },
  email_addcontact: { tool: 'contact_add' },
  social_query: { tool: 'social_read' },
  social_post: {
    tool: 'social_post',
    slots: { business_name: 'to', person: 'to', relation: 'to' },
    rules: ['postText'],
  },
  iot_hue_lighton: { tool: 'light_switch', fixed: { state: 'on' } },
  iot_hue_lightoff: { tool: 'light_switch', fixed: { state: 'off' } },
  iot_hue_lightup: { tool: 'light_adjust', fixed: { direction: 'up' } },
  iot_hue_lightdim: { tool: 'light_adjust', fixed: { direction: 'down' } },
  iot_hue_lightchange: { tool: 'light_color', slots: { player_setting: 'color', change_amount: 'color' } },
  iot_wemo_on: { tool: 'plug_switch', fixed: { state: 'on' } },
  iot_wemo_off: { tool: 'plug_switch', fixed: { state: 'off' } },
  iot_coffee: { tool: 'coffee_make', slots: { person: 'coffee' } },
  iot_cleaning: { tool: 'vacuum_start', slots: { place_name: 'room' } },
  audio_volume_up: { tool: 'volume_adjust', fixed: { direction: 'up' } },
  audio_volume_down: { tool: 'volume_adjust', fixed: { direction: 'down' } },
  audio_volume_mute: { tool: 'volume_adjust', fixed: { direction: 'mute' }, rules: ['unmute'] },
  audio_volume_other: { tool: 'volume_adjust', fixed: { direction: 'set' } },
  play_music: { tool: 'music_play', slots: { app_name: 'service', player_setting: 'music' } },
  music_query: { tool: 'music_info' },
  music_likeness: { tool: 'music_rate', fixed: { liking: 'like' }, slots: { playlist_name: 'music' } },
  music_dislikeness: { tool: 'music_rate', fixed: { liking: 'dislike' } },
  music_settings: { tool: 'media_control', rules: ['playerAction'] },
  play_radio: { tool: 'radio_play', slots: { media_type: 'station', person: 'station' } },
  play_podcasts: {
    tool: 'podcast_play',
    slots: { podcast_name: 'podcast', podcast_descriptor: 'episode', date: 'episode', time: 'episode' },
  },
  play_audiobook: {
    tool: 'audiobook_play',
    slots: {
      audiobook_name: 'book',
      audiobook_author: 'book',
      media_type: 'book',
      app_name: 'book',
      time: 'book',
    },
  },
  play_game: { tool: 'game_play', slots: { game_name: 'game', game_type: 'game' } },
  weather_query: { tool: 'weather_get', slots: { business_type: 'place', event_name: 'when' } },
  news_query: { tool: 'news_get' },
  qa_factoid: { tool: 'fact_find', rules: ['wholeQuestion'] },
  qa_definition: { tool: 'word_define', slots: { definition_word: 'word' } },
  qa_maths: { tool: 'calculate', rules: ['expression'] },
  qa_stock: { tool: 'stock_price' },
  qa_currency: { tool: 'currency_convert', slots: { currency_name: FROM_TO }, rules: ['currencies'] },
  cooking_recipe: { tool: 'recipe_find', slots: { cooking_type: 'method', device_type: 'method' } },
  cooking_query: { tool: 'recipe_find', slots: { cooking_type: 'method' } },
  recommendation_events: { tool: 'events_find' },
  recommendation_locations: { tool: 'places_find', slots: { business_name: 'kind' } },
  recommendation_movies: {
    tool: 'movies_find',
    slots: { business_type: 'place', media_type: 'kind' },
  },
  lists_query: { tool: 'list_show' },
  lists_createoradd: { tool: 'list_add', rules: ['itemAdded'] },
  lists_remove: { tool: 'list_remove', rules: ['itemRemoved'] },
  takeaway_order: { tool: 'takeaway_order', slots: { app_name: 'from' } },
  takeaway_query: { tool: 'takeaway_info', slots: { place_name: 'from', event_name: 'from' } },
  transport_query: { tool: 'route_get', slots: transport },
  transport_ticket: { tool: 'ticket_book', slots: { ...transport, app_name: 'mode' } },
  transport_taxi: { tool: 'taxi_book', slots: { place_name: FROM_TO, business_name: 'service', event_name: 'when' } },
  transport_traffic: { tool: 'traffic_get', slots: { event_name: 'place' } },
  // Snips (xSID uses the same names)
  GetWeather: { tool: 'weather_get' },
  PlayMusic: { tool: 'music_play' },
  AddToPlaylist: { tool: 'playlist_add', slots: { reference: 'owner' } },
  BookRestaurant: {
    tool: 'restaurant_book',
    slots: {
      restaurant_name: 'restaurant',
      restaurant_type: 'kind',
      cuisine: 'food',
      served_dish: 'food',
      party_size_number: 'people',
      party_size_description: 'people',
      facility: 'facility',
    },
  },
  RateBook: {
    tool: 'book_rate',
    slots: {
      object_name: 'title',
      object_select: 'which',
      object_type: 'kind',
      object_part_of_series_type: 'kind',
      rating_value: 'rating',
      best_rating: 'rating',
      rating_unit: 'rating',
    },
  },
  SearchCreativeWork: { tool: 'work_find', slots: { object_name: 'title', object_type: 'kind' } },
  SearchScreeningEvent: {
    tool: 'movies_find',
    slots: {
      movie_name: 'movie',
      movie_type: 'kind',
      object_type: 'what',
      location_name: 'place',
      object_location_type: 'place',
    },
  },
  // xSID
  'weather/find': { tool: 'weather_get' },
  'alarm/set_alarm': { tool: 'alarm_set' },
  'alarm/cancel_alarm': { tool: 'alarm_cancel' },
  'alarm/show_alarms': { tool: 'alarm_list' },
  'alarm/time_left_on_alarm': { tool: 'alarm_list' },
  'alarm/modify_alarm': { tool: 'alarm_change' },
  'alarm/snooze_alarm': { tool: 'alarm_snooze' },
  'reminder/set_reminder': { tool: 'calendar_create' },
  'reminder/show_reminders': { tool: 'calendar_search' },
  'reminder/cancel_reminder': { tool: 'calendar_cancel' },
}
