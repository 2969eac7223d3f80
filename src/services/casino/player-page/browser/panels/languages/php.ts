import type { RuleStrings } from '../strings.ts'

/** Filipino. */
export const strings: RuleStrings = {
  payTable: 'Bayad',
  zone: 'Taya',
  pays: 'Netong panalo sa 1',
  bankerTotal: 'Kabuuan ng Banker',
  bankerDraws: 'Kumukuha ang Banker sa ikatlong baraha ng Player',
  texts: {
    baccarat:
      'Panalo ang hand na mas malapit sa siyam. Ang alas ay 1, ang sampu at mga face card ay 0, at ang huling numero lang ng kabuuan ang binibilang. Ang walo o siyam sa dalawang baraha ay natural at tapos ang round; kung hindi, kumukuha ang Player hanggang lima, at ang Banker ayon sa talaan. Sa tie, ibinabalik ang taya sa Banker at Player.',
    dragontiger:
      'Tig-isang baraha ang Dragon at Tiger, at panalo ang mas mataas. Pinakamababa ang alas, pinakamataas ang hari; hindi binibilang ang suit. Sa tie, kalahati ng taya sa Dragon at Tiger ang talo. Talo sa pito ang big, small, odd at even.',
    niuniu:
      'Tiglilimang baraha ang Banker at mga manlalaro. Dapat maging multiple ng sampu ang tatlo; ang huling numero ng dalawang natitira ang bull. Sa Banker lang inihahambing ang bawat hand; kung pantay, ang pinakamataas na baraha ang magpapasya. Ang dobleng taya ay panalo o talo ayon sa multiplier ng nanalong hand.',
    casino:
      'Pagkatapos ng flop, mag-call ng doble ng ante o mag-fold. Kailangan ng dealer ng pares ng kuwatro o mas mataas; kung hindi, may bayad ang ante at ibinabalik ang call. Ang dalawang baraha mo at ang flop ang batayan ng AA bonus.',
    thbp: 'Tumaya ng doble ng ante para makita ang flop, o mag-fold. Bago ang turn at river, tumaya ng katumbas ng ante o mag-check. May bayad ang ante mula straight pataas; kung hindi, ibinabalik ito kapag nanalo. Ang dalawang baraha lang ang batayan ng bonus.',
    nlhe: 'May dalawang baraha ang bawat manlalaro at pinaghahatian ang lima sa board; ang pinakamagandang lima ang panalo sa pot. Puwedeng tumaya ng kahit magkano hanggang sa chips mo. May bahagi ang house sa bawat pot. Ibinabalik ang chips pagkatapos ng hand.',
  },
}
