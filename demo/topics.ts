import type { Category } from './world.ts'

export interface DemoTopic {
  readonly name: string
  readonly slug: string
  readonly category: Category
  /** Criteria of buyers, in the order of the arguments of answers. */
  readonly criteria: readonly string[]
  readonly prompts: readonly string[]
}

export const topics: readonly DemoTopic[] = [
  {
    name: 'Noise cancelling',
    slug: 'noise-cancelling-headphones',
    category: 'headphones',
    criteria: ['noise cancelling', 'comfort', 'battery life'],
    prompts: [
      'What are the best noise-cancelling headphones right now?',
      'Which noise-cancelling headphones are the most comfortable for glasses?',
      'Best noise-cancelling headphones under $300?',
      'Do expensive noise-cancelling headphones really sound better?',
      'Which headphones block out a noisy open-plan office?',
    ],
  },
  {
    name: 'Wireless earbuds',
    slug: 'wireless-earbuds',
    category: 'earbuds',
    criteria: ['fit', 'sound quality', 'call quality'],
    prompts: [
      'What are the best true wireless earbuds this year?',
      'Best wireless earbuds for Android?',
      'Which earbuds have the longest battery life?',
      'Good wireless earbuds for small ears?',
      'Best cheap wireless earbuds that are still good?',
    ],
  },
  {
    name: 'Running and gym',
    slug: 'running-earbuds',
    category: 'earbuds',
    criteria: ['secure fit', 'sweat resistance', 'awareness of traffic'],
    prompts: [
      'Best earbuds for running that do not fall out?',
      'Which earbuds survive sweat and rain?',
      'Best headphones for weightlifting?',
      'Are open earbuds safer for running outside?',
      'Which earbuds do marathon runners recommend?',
    ],
  },
  {
    name: 'Portable speakers',
    slug: 'bluetooth-speakers',
    category: 'speaker',
    criteria: ['loudness', 'battery life', 'ruggedness'],
    prompts: [
      'What is the best portable Bluetooth speaker?',
      'Best waterproof speaker for the beach?',
      'Which small speaker has the best bass?',
      'Best Bluetooth speaker for a garden party?',
      'Which portable speakers can be paired in stereo?',
    ],
  },
  {
    name: 'Soundbars',
    slug: 'soundbars',
    category: 'soundbar',
    criteria: ['clear dialogue', 'bass', 'easy set-up'],
    prompts: [
      'What is the best soundbar for a 55-inch TV?',
      'Best soundbar for clear dialogue?',
      'Is a soundbar with a subwoofer worth it?',
      'Best soundbar under $500?',
      'Which soundbars work with any TV remote?',
    ],
  },
  {
    name: 'Multiroom and hi-fi',
    slug: 'multiroom-speakers',
    category: 'speaker',
    criteria: ['app', 'sound quality', 'streaming services'],
    prompts: [
      'Best multiroom speaker system for a flat?',
      'Which wireless speakers sound closest to real hi-fi?',
      'How do I start a multiroom system without spending a fortune?',
      'Which multiroom speakers work without a cloud account?',
      'Best speakers for vinyl and streaming?',
    ],
  },
  {
    name: 'Studio and recording',
    slug: 'studio-headphones',
    category: 'headphones',
    criteria: ['neutral tuning', 'build', 'replaceable parts'],
    prompts: [
      'Best studio headphones for mixing at home?',
      'Closed or open headphones for recording vocals?',
      'Which headphones do podcasters use?',
      'Best headphones for a digital piano?',
      'Which studio headphones have replaceable cables and pads?',
    ],
  },
  {
    name: 'Gaming',
    slug: 'gaming-headsets',
    category: 'headset',
    criteria: ['microphone', 'latency', 'comfort'],
    prompts: [
      'What is the best wireless gaming headset?',
      'Best gaming headset for console and PC?',
      'Which gaming headsets have the clearest microphone?',
      'Is a gaming headset better than headphones with a microphone?',
      'Best budget gaming headset?',
    ],
  },
  {
    name: 'Travel',
    slug: 'travel-headphones',
    category: 'headphones',
    criteria: ['noise cancelling', 'battery life', 'folding case'],
    prompts: [
      'Best headphones for long flights?',
      'Which headphones fold small enough for a carry-on?',
      'Headphones or earbuds for commuting by train?',
      'Which headphones work with in-flight entertainment?',
      'Best travel headphones for side sleepers?',
    ],
  },
  {
    name: 'Calls and remote work',
    slug: 'headsets-for-calls',
    category: 'headset',
    criteria: ['microphone', 'multipoint', 'all-day comfort'],
    prompts: [
      'Best headset for video calls at home?',
      'Which headphones have the best microphone for meetings?',
      'Headphones that connect to a laptop and a phone at once?',
      'Best headset for a call centre?',
      'Which headset is comfortable for eight hours a day?',
    ],
  },
  {
    name: 'Children and hearing',
    slug: 'headphones-for-kids',
    category: 'headphones',
    criteria: ['volume limit', 'sturdiness', 'price'],
    prompts: [
      'What are safe headphones for children?',
      'Which headphones limit the volume to 85 decibels?',
      'Best headphones for school tablets?',
      'How loud is too loud for earbuds?',
      'Best headphones for a toddler on a plane?',
    ],
  },
  {
    name: 'Lumora',
    slug: 'lumora-headphones',
    category: 'headphones',
    criteria: ['sound quality', 'support', 'value'],
    prompts: [
      'Is Lumora a good audio brand?',
      'Lumora Halo 3 or Kessler K900: which should I buy?',
      'Is the Lumora Stage One worth the money?',
      'How long does the battery of the Lumora Drop Pro last?',
      'What are alternatives to Lumora headphones?',
    ],
  },
]

/** Whether all prompts of the topic are about the own brand. */
export function isAboutOwnBrand(topic: DemoTopic): boolean {
  return topic.slug.startsWith('lumora')
}

/** "Bluetooth speakers", as it stands within a sentence. */
export function wordsOf(topic: DemoTopic): string {
  return topic.slug
    .replaceAll('-', ' ')
    .replace(/^(lumora|bluetooth)/, (name) => name.charAt(0).toUpperCase() + name.slice(1))
}
