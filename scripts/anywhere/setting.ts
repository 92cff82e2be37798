/** The place where a setting runs: folder, commit and environment. */
export interface Place {
  /** A folder for this setting only. The folder exists already. */
  readonly folder: string;
  /** The repository whose commit is tested. */
  readonly repository: string;
  readonly commit: string;
  /** The environment of the caller, without the variables that npm and CI systems add. */
  readonly env: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The result of `prepare`: the way to run commands in a setting. */
export interface Prepared {
  readonly env: Environment;
  /** The program and arguments to put before each command, such as `taskset -c 0`. */
  readonly prefix?: readonly string[];
  /** Ends the processes that the setting started. */
  readonly close?: () => void;
}

/** A setting in which `npm ci && npm test` must pass. */
export interface Setting {
  /** The name on the command line. */
  readonly name: string;
  /** The name in the table. */
  readonly title: string;
  /** The name of the checkout's folder. The default is `checkout`. */
  readonly checkout?: string;
  /** How the checkout is made. The default is a clone. */
  readonly source?: "clone" | "shallow clone" | "copy without .git";
  /**
   * Returns the program or user that the setting needs but that is missing on this machine. Returns undefined if
   * nothing is missing.
   */
  readonly missing?: () => string | undefined;
  /** Prepares the setting. The checkout exists already. */
  readonly prepare: (place: Place, checkout: string) => Prepared;
}
