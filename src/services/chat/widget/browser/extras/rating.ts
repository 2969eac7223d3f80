import type { Failure } from '../conversation/api.ts'
import type { ExtrasContext } from '../extras.ts'

/** Creates the form for a rating, shown after a conversation has ended while the server accepts one. */
export function ratingForm({ core, strings }: Pick<ExtrasContext, 'core' | 'strings'>) {
  const { ctx, api, room } = core
  const { make } = ctx
  let score = 0
  let isSaved = false
  const comment = make('textarea', { rows: 2, maxLength: 1000, dir: 'auto' })
  const news = make('p', { role: 'status' })
  const send = make('button', { type: 'button', className: 'b', textContent: strings.send, onclick: () => submit() })
  const more = make('div', { hidden: true }, make('label', {}, strings.comment, comment), send)
  const stars = starButtons({ core, strings }, (chosen) => {
    score = chosen
    more.hidden = false
  })
  const form = make('fieldset', {}, make('legend', { textContent: strings.rate }), stars.element, more)
  const element = make('div', { hidden: true }, form, news)
  const submit = async () => {
    send.disabled = true
    try {
      await api.inRoom('POST', '/rating', { score, comment: comment.value })
      finish(strings.thanks)
    } catch (caught) {
      const { code } = caught as Failure
      if (code === 'ALREADY_RATED' || code === 'NOT_RATEABLE') finish('')
      else news.textContent = strings.failed
    }
    send.disabled = false
  }
  const finish = (text: string) => {
    const hadFocus = element.contains(ctx.root.activeElement)
    isSaved = form.hidden = true
    // The room's event may have arrived before the response, and hidden the form.
    element.hidden = text === ''
    news.textContent = text
    if (hadFocus) ctx.root.querySelector<HTMLElement>('.f textarea')?.focus()
  }
  return {
    element,
    offer() {
      if (room.state?.rateable) {
        if (isSaved) return
        element.hidden = false
      } else if (room.state?.status === 'open') {
        // The next conversation can be rated again.
        element.hidden = true
        isSaved = form.hidden = false
        news.textContent = comment.value = ''
        more.hidden = true
        stars.clear()
      } else if (!isSaved) element.hidden = true
    },
  }
}

/** Creates five stars to choose from, as radio buttons. */
function starButtons({ core, strings }: Pick<ExtrasContext, 'core' | 'strings'>, onChosen: (score: number) => void) {
  const { make } = core.ctx
  const mark = (chosen: number) => {
    stars.forEach((star, i) => {
      star.className = i < chosen ? 'on' : ''
    })
  }
  const inputs: HTMLInputElement[] = []
  const stars = [1, 2, 3, 4, 5].map((each) => {
    const ariaLabel = strings.star.replace('%', String(each))
    const onchange = () => {
      mark(each)
      onChosen(each)
    }
    const input = make('input', { type: 'radio', name: 'rating', ariaLabel, onchange })
    inputs.push(input)
    return make('label', {}, input, make('i', { ariaHidden: 'true', textContent: '★' }))
  })
  const clear = () => {
    mark(0)
    for (const input of inputs) input.checked = false
  }
  return { element: make('div', { className: 'stars' }, ...stars), clear }
}
