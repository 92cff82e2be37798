/** The folder, commit and environment of a setting. */
export interface Place {
  /** A folder on disk for this setting only. It exists. */
  readonly folder: string;
  /** The repository whose commit is tested. */
  readonly repository: string;
  readonly commit: string;
  /** The caller's environment, without the variables that npm and CI systems add. */
  readonly env: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment and the prefix of the commands. */
export interface Prepared {
  readonly env: Environment;
  /** The program and the words that run a command, before the command itself, such as `taskset -c 0`. */
  readonly prefix?: readonly string[];
  /** Ends the processes that the setting started. */
  readonly close?: () => void;
}

/** One setting in which `npm ci && npm test` has to pass. */
export interface Setting {
  /** The word of the command line. */
  readonly name: string;
  /** The line of the table. */
  readonly title: string;
  /** The name of the checkout's folder; `checkout` where left out. */
  readonly checkout?: string;
  /** The way to copy the checkout. A clone is the default. */
  readonly source?: "clone" | "shallow clone" | "copy without .git";
  /** Returns the program or user that the setting needs and this machine lacks, if any. */
  readonly missing?: () => string | undefined;
  /** Prepares the setting, after the checkout is made. */
  readonly prepare: (place: Place, checkout: string) => Prepared;
}
