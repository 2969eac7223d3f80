import type { RuleStrings } from '../strings.ts'

/** Vietnamese. */
export const strings: RuleStrings = {
  payTable: 'Tỷ lệ trả',
  zone: 'Cược',
  pays: 'Lãi ròng cho 1',
  bankerTotal: 'Điểm của Nhà cái',
  bankerDraws: 'Nhà cái rút khi lá thứ ba của Nhà con là',
  texts: {
    baccarat:
      'Bên gần chín điểm hơn thắng. Át tính 1, lá 10 và lá hình tính 0, chỉ tính chữ số cuối của tổng. Hai lá được tám hoặc chín là natural và kết thúc ván; nếu không, Nhà con rút khi có tối đa năm điểm, Nhà cái rút theo bảng. Khi hòa, cược Nhà cái và Nhà con được hoàn lại.',
    dragontiger:
      'Rồng và Hổ mỗi bên một lá, lá cao hơn thắng. Át thấp nhất, K cao nhất, không tính chất. Khi hòa, cược Rồng và Hổ mất một nửa. Lá bảy thua cả Tài, Xỉu, Lẻ và Chẵn.',
    niuniu:
      'Nhà cái và các tay chơi mỗi bên nhận năm lá. Ba lá phải có tổng là bội của mười; chữ số cuối của hai lá còn lại là số ngưu. Mỗi tay chỉ so với Nhà cái; nếu bằng nhau, lá cao nhất quyết định. Cược gấp đôi thắng hoặc thua theo hệ số của tay thắng.',
    casino:
      'Sau flop, bạn theo với gấp đôi ante hoặc bỏ bài. Nhà cái cần ít nhất đôi bốn; nếu không, ante được trả và tiền theo được hoàn lại. Thưởng AA tính theo hai lá của bạn và flop.',
    thbp: 'Bạn cược gấp đôi ante để xem flop, hoặc bỏ bài. Trước turn và river, bạn cược bằng ante hoặc xem bài. Ante chỉ được trả từ sảnh trở lên; nếu không, được hoàn lại khi thắng. Thưởng chỉ tính theo hai lá.',
    nlhe: 'Mỗi người có hai lá và dùng chung năm lá trên bàn; năm lá tốt nhất thắng pot. Bạn có thể cược bất kỳ số nào trong số chip của mình. Một phần mỗi pot thuộc về sòng bạc. Chip được hoàn lại sau ván.',
  },
}
