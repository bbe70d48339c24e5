/** Four numbers at once, where one alone would wait for each of its multiplications. */

export function times(four: v128, by: u32): v128 {
  return i32x4.mul(four, i32x4.splat(by));
}

/** Each number's upper bits into its lower ones, and all of them up again, twice. */
export function mixed(four: v128, shift: i32, by: u32, thenShift: i32, thenBy: u32): v128 {
  const once = times(v128.xor(four, i32x4.shr_u(four, shift)), by);
  const twice = times(v128.xor(once, i32x4.shr_u(once, thenShift)), thenBy);
  return v128.xor(twice, i32x4.shr_u(twice, 16));
}
