/** The place where a setting runs: folder, commit and environment. */
export interface Place {
  /** A folder for this setting only. It exists already. */
  readonly folder: string;
  /** The repository whose commit is tested. */
  readonly repository: string;
  readonly commit: string;
  /** The environment of the caller, without the variables that npm and CI systems add. */
  readonly env: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What `prepare` returns: how the commands must be run in a setting. */
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
  /** Returns what this machine lacks for the setting: a program or a user. Returns undefined if it lacks nothing. */
  readonly missing?: () => string | undefined;
  /** Prepares the setting. The checkout exists already. */
  readonly prepare: (place: Place, checkout: string) => Prepared;
}
