/** Between which stacks something moves, by their names. */
export interface Stacks {
  readonly from: string;
  readonly to: string;
}
