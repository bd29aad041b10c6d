import { pyInt } from '../../../python/convert.js'
import { pyEquals } from '../../../python/equals.js'
import { binary, truth } from '../../../python/evaluate.js'
import { getItem, iterate, noAttribute } from '../../../python/operations.js'
import { pyStr } from '../../../python/repr.js'
import { pyContains, pyLower } from '../../../python/sequences.js'
import { PyDict, type PyValue } from '../../../python/values.js'
import { dict, failure, type Process, Simulator } from './simulator.js'

/** TwitterAPI: posts, comments and follows. */
export class Posting extends Simulator {
  constructor(scenario: PyDict, _longContext: boolean, process: Process) {
    super('TwitterAPI')
    this.load(scenario, process.constants.state('TwitterAPI'), [
      'username',
      'password',
      'authenticated',
      'tweets',
      'comments',
      'retweets',
      'following_list',
      'tweet_counter',
    ])
    this.state.set(
      'tweets',
      PyDict.of(
        [...this.#dict('tweets').entries()].map(([key, tweet]) => [typeof key === 'string' ? pyInt(key) : key, tweet]),
      ),
    )
    this.#addMethods()
    this.#addPosting(process)
  }

  #dict(name: string): PyDict {
    return this.get(name) as PyDict
  }

  /** The refusal of one who is not logged in, or undefined. */
  #refusal(before: string): PyDict | undefined {
    return truth(this.get('authenticated'))
      ? undefined
      : failure(`User not authenticated. Please authenticate before ${before}.`)
  }

  #addPosting(process: Process): void {
    const list = (name: string): PyValue[] => {
      const shared = process.shared.get(name) ?? []
      process.shared.set(name, shared)
      return shared
    }
    this.methods.set('post_tweet', {
      parameters: [
        { name: 'content' },
        { name: 'tags', standard: list('post_tweet.tags') },
        { name: 'mentions', standard: list('post_tweet.mentions') },
      ],
      run: ([content, tags, mentions]) => {
        const refused = this.#refusal('posting')
        if (refused) return refused
        const id = this.get('tweet_counter')
        const tweet = dict({
          id,
          username: this.get('username'),
          content: content!,
          tags: tags!,
          mentions: mentions!,
        })
        this.#dict('tweets').set(id, tweet)
        this.state.set('tweet_counter', binary('+', id, 1n))
        return tweet
      },
    })
    this.method('mention', 'tweet_id, mentioned_usernames', ([id, names]) => {
      if (!this.#dict('tweets').has(id!)) return notFound(id!)
      const mentions = getItem(getItem(this.#dict('tweets'), id!), 'mentions')
      if (!Array.isArray(mentions)) throw noAttribute(mentions, 'extend')
      mentions.push(...iterate(names!))
      return dict({ mention_status: 'Users mentioned successfully' })
    })
  }

  #addMethods(): void {
    this.method('authenticate_twitter', 'username, password', ([user, password]) => {
      const matches = pyEquals(user!, this.get('username')) && pyEquals(password!, this.get('password'))
      if (matches) this.state.set('authenticated', true)
      return dict({ authentication_status: matches })
    })
    this.method('posting_get_login_status', '', () => dict({ login_status: truth(this.get('authenticated')) }))
    this.method('retweet', 'tweet_id', ([id]) => {
      const refused = this.#refusal('retweeting')
      if (refused) return refused
      if (!this.#dict('tweets').has(id!)) return notFound(id!)
      const own = listIn(this.#dict('retweets'), this.get('username'))
      if (pyContains(own, id!)) return dict({ retweet_status: 'Already retweeted' })
      own.push(id!)
      return dict({ retweet_status: 'Successfully retweeted' })
    })
    this.method('comment', 'tweet_id, comment_content', ([id, content]) => {
      const refused = this.#refusal('commenting')
      if (refused) return refused
      if (!this.#dict('tweets').has(id!)) return notFound(id!)
      listIn(this.#dict('comments'), id!).push(dict({ username: this.get('username'), content: content! }))
      return dict({ comment_status: 'Comment added successfully' })
    })
    this.method('follow_user', 'username_to_follow', ([name]) => {
      const refused = this.#refusal('following')
      if (refused) return refused
      const isNew = !pyContains(this.get('following_list'), name!)
      if (isNew) this.#following.push(name!)
      return dict({ follow_status: isNew })
    })
    this.method(
      'list_all_following',
      '',
      () => this.#refusal('listing following') ?? dict({ following_list: this.get('following_list') }),
    )
    this.method('unfollow_user', 'username_to_unfollow', ([name]) => {
      const refused = this.#refusal('unfollowing')
      if (refused) return refused
      const at = this.#following.findIndex((one) => pyEquals(one, name!))
      if (at >= 0) this.#following.splice(at, 1)
      return dict({ unfollow_status: at >= 0 })
    })
    this.method('get_tweet', 'tweet_id', ([id]) => this.#dict('tweets').get(id!) ?? notFound(id!))
    this.method('get_user_tweets', 'username', ([name]) => this.#tweetsOf(name!))
    this.method('search_tweets', 'keyword', ([keyword]) =>
      this.#dict('tweets')
        .values()
        .filter((tweet) => {
          const wanted = pyLower(keyword!)
          return (
            pyLower(getItem(tweet, 'content')).includes(wanted) ||
            iterate(getItem(tweet, 'tags')).map(pyLower).includes(wanted)
          )
        }),
    )
    this.method('get_tweet_comments', 'tweet_id', ([id]) =>
      this.#dict('tweets').has(id!) ? (this.#dict('comments').get(id!) ?? []) : notFound(id!),
    )
    this.method('get_user_stats', 'username', ([name]) => {
      const retweets = this.#dict('retweets').get(name!)
      return dict({
        tweet_count: BigInt(this.#tweetsOf(name!).length),
        following_count: pyEquals(name!, this.get('username')) ? BigInt(this.#following.length) : 0n,
        retweet_count: BigInt(Array.isArray(retweets) ? retweets.length : 0),
      })
    })
  }

  get #following(): PyValue[] {
    return this.get('following_list') as PyValue[]
  }

  #tweetsOf(name: PyValue): PyValue[] {
    return this.#dict('tweets')
      .values()
      .filter((tweet) => pyEquals(getItem(tweet, 'username'), name))
  }
}

function listIn(within: PyDict, key: PyValue): PyValue[] {
  const found = within.get(key)
  if (Array.isArray(found)) return found
  const list: PyValue[] = []
  within.set(key, list)
  return list
}

function notFound(id: PyValue): PyDict {
  return failure(`Tweet with ID ${pyStr(id)} not found.`)
}
