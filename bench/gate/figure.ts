/** One measured figure. Its name finds its budget, unless it brings its limit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "times" | "requests" | "MB" | "KB" | "places";
  readonly atMost?: number;
}

/** Whether a value, measured once, is so far below the budget of its figure that no further measurement can change the verdict. */
export type IsClear = (name: string, value: number) => boolean;

export type Report = (figure: Figure) => void;

/** Measures figures that belong together, and reports them one by one. */
export type Measure = (report: Report, isClear: IsClear) => Promise<void>;

/** Something with figures that are measured together, in up to three rounds. */
export interface Subject {
  readonly measure: Measure;
  /** Ends what all rounds share. */
  close?(): Promise<void>;
}
