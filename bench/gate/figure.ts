/** One measured figure. Its name finds its budget, unless it brings its limit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "times" | "requests" | "MB" | "KB";
  readonly atMost?: number;
}

/** Whether a value, measured once, is so far below the budget of its figure that no further measurement can change the verdict. */
export type IsClear = (name: string, value: number) => boolean;

/** Measures figures that belong together, and says them one by one. */
export type Part = (tell: (figure: Figure) => void, isClear: IsClear) => Promise<void>;
