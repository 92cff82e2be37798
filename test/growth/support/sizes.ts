/** Each operation is measured at a size and at so many times that size. */
export const TIMES = 4;
/** Before, once with so many objects: that loads modules, and makes what is made once. */
export const WARM = 12;
