let audio: AudioContext | undefined

/** Plays two short notes. Browsers allow sounds only after the customer has used the page; before, it is silent. */
export function ring(): void {
  try {
    audio ||= new AudioContext()
    audio.resume()
    for (const [at, pitch] of [
      [0, 660],
      [0.14, 880],
    ] as const) {
      const begin = audio.currentTime + at
      const tone = new OscillatorNode(audio, { frequency: pitch })
      const volume = new GainNode(audio, { gain: 0 })
      volume.gain.setValueAtTime(0, begin)
      volume.gain.linearRampToValueAtTime(0.12, begin + 0.02)
      volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.25)
      tone.connect(volume).connect(audio.destination)
      tone.start(begin)
      tone.stop(begin + 0.3)
    }
  } catch {
    // The browser cannot play sounds.
  }
}
