import { setting } from '../settings.ts'

/** Frequencies of the tones of each sound in hertz, one after another. */
const melodies = { chip: [660], soon: [440, 440], won: [523, 659, 784] } as const

const toneSeconds = 0.12

let context: AudioContext | undefined

/** Plays a sound if the player has switched it on. Tones are synthesized: no file is loaded. */
export function play(sound: keyof typeof melodies): void {
  if (setting('sound') !== 'on' || document.hidden) return
  try {
    context ??= new AudioContext()
    // Browsers suspend it until the player has clicked or typed.
    void context.resume()
    for (const [index, frequency] of melodies[sound].entries()) playTone(context, frequency, index * toneSeconds)
  } catch {
    // Without an audio device the game is silent.
  }
}

function playTone(audio: AudioContext, frequency: number, delay: number): void {
  const start = audio.currentTime + delay
  const oscillator = audio.createOscillator()
  const volume = audio.createGain()
  oscillator.frequency.value = frequency
  volume.gain.setValueAtTime(0.08, start)
  volume.gain.exponentialRampToValueAtTime(0.001, start + toneSeconds)
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(start + toneSeconds)
}
