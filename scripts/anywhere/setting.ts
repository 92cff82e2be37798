/** Where a setting runs the README's commands. */
export interface Place {
  /** A folder of this setting alone, on disk, which exists. */
  readonly folder: string;
  /** The repository whose commit is tested. */
  readonly repository: string;
  readonly commit: string;
  /** The environment of whoever started the script, without what npm and CI systems add. */
  readonly env: Environment;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the commands are run with. */
export interface Prepared {
  readonly env: Environment;
  /** The program and the words that run a command, before the command itself, such as `taskset -c 0`. */
  readonly prefix?: readonly string[];
  /** Ends what runs beside the commands. */
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
  /** How the checkout is made; a clone where left out. */
  readonly source?: "clone" | "shallow clone" | "copy without .git";
  /** What this machine lacks for the setting. */
  readonly missing?: () => string | undefined;
  /** Prepares the setting, after the checkout is made. */
  readonly prepare: (place: Place, checkout: string) => Prepared;
}
