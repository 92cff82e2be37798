/** One measured figure. Its name finds its budget, unless it brings its limit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "times" | "requests" | "MB" | "KB" | "lines";
  readonly atMost?: number;
}

/** Measures figures that belong together, and says them one by one. */
export type Part = (tell: (figure: Figure) => void) => Promise<void>;
