/**
 * A measured value. The limit of the figure is `atMost`; without `atMost`, it is the budget with the name of the
 * figure.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "times" | "calls" | "requests" | "MB" | "KB" | "places";
  readonly atMost?: number;
}

/** Returns true if a value is far below its budget. Then one measurement of the value is enough. */
export type IsClear = (name: string, value: number) => boolean;

export type Report = (figure: Figure) => void;

/** Measures some figures and reports each of them. */
export type Measure = (report: Report, isClear: IsClear) => Promise<void>;

/** Figures that are measured together, in up to three rounds. */
export interface Subject {
  readonly measure: Measure;
  /** Stops what all rounds use, such as the service. */
  close?(): Promise<void>;
}
