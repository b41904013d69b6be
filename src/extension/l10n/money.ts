/** A sum of money as people read it, small ones with the digits that matter: 「¥0.0123」, 「US$1.20」. `currency`: ISO 4217. */
export function moneyWords(amount: number, currency: string): string {
  const small = amount > 0 && amount < 1;
  return new Intl.NumberFormat('zh-CN', { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: small ? 4 : 2 }).format(amount);
}
