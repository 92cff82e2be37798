import { chooseHabits } from "../../../src/service/habits";
import { adminMode } from "../../../src/service/habits/admin-mode";
import { enforcedJobTokenLimit } from "../../../src/service/habits/enforced-job-token-limit";
import { htmlNotFound, NOT_FOUND_PAGE } from "../../../src/service/habits/html-not-found";
import { laggingReplicas } from "../../../src/service/habits/lagging-replicas";
import { shiftingLists } from "../../../src/service/habits/shifting-lists";
import { SIGN_IN_PAGE, signInPage } from "../../../src/service/habits/sign-in-page";
import { DEFAULT_SETTINGS, hasHabit, type ServiceSettings } from "../../../src/service/settings/settings";
import {
  type ApplicationSettings,
  changeApplicationSettings,
} from "../../../src/service/store/application-settings";
import type { Database } from "../../../src/service/store/database";
import { isSimulating, simulation } from "../time/simulation";
import type { Replica, Rows } from "./replica";
import type { ServiceResponse } from "./response";

const page = (status: number, text: string): ServiceResponse => ({
  status,
  headers: { "content-type": "text/html" },
  text,
});

/** The rows before a write. Reads see these rows until a moment of the monotonic clock. */
interface Behind {
  readonly before: Rows;
  readonly until: number;
}

/**
 * The habits of the live platform that the simulated service imitates. This class replaces the code for habits in
 * `src/service/server`, which the simulator does not run.
 */
export class ServiceHabits {
  readonly settings: ServiceSettings;
  /** The number of milliseconds after a write during which reads see the rows from before the write. */
  readonly #lag: number;
  readonly #behind: Behind[] = [];
  /**
   * A view of the database that is new for each story. The service counts list reads for each database object. With a
   * new object, each story starts at zero.
   */
  #view: Database | undefined;

  /** @param replica returns a second database, which can show earlier rows */
  constructor(
    names: readonly string[],
    lag: number,
    private readonly replica: () => Replica,
  ) {
    this.settings = { ...DEFAULT_SETTINGS, habits: chooseHabits({ habits: names }) };
    this.#lag = lag;
  }

  /** Switches on the application settings that belong to the habits of this story. */
  begin(database: Database): void {
    this.#switch(database, true);
  }

  /** Switches off the application settings that belong to the habits of this story, and ends the lag of replicas. */
  end(database: Database): void {
    this.catchUp();
    this.#switch(database, false);
  }

  #switch(database: Database, isOn: boolean): void {
    const changed: Partial<ApplicationSettings> = {
      ...(hasHabit(this.settings, adminMode) && { admin_mode: isOn }),
      ...(hasHabit(this.settings, enforcedJobTokenLimit) && {
        enforce_ci_inbound_job_token_scope_enabled: isOn,
      }),
    };
    if (Object.keys(changed).length === 0) return;
    changeApplicationSettings(database, changed);
    if (hasHabit(this.settings, laggingReplicas)) changeApplicationSettings(this.replica().database, changed);
  }

  /** True if a repeated read has the same response until the next write. */
  get isRepeatable(): boolean {
    return !hasHabit(this.settings, shiftingLists) && !hasHabit(this.settings, laggingReplicas);
  }

  over(database: Database): { readonly settings: ServiceSettings; readonly database: Database } {
    this.#view ??= Object.create(database) as Database;
    return { settings: this.settings, database: this.#view };
  }

  /**
   * Returns the sign-in page that replaces the response to a write. Undefined if the habit `sign-in-page` is off.
   */
  pageInsteadOf(method: string): ServiceResponse | undefined {
    return method !== "GET" && hasHabit(this.settings, signInPage) ? page(200, SIGN_IN_PAGE) : undefined;
  }

  notFoundPage(status: number): ServiceResponse | undefined {
    return status === 404 && hasHabit(this.settings, htmlNotFound) ? page(404, NOT_FOUND_PAGE) : undefined;
  }

  /** Keeps the rows before a write, so that reads see them for some milliseconds. */
  willWrite(database: Database): void {
    if (!hasHabit(this.settings, laggingReplicas) || !isSimulating()) return;
    this.#behind.push({ before: this.replica().rowsOf(database), until: simulation().monotonic + this.#lag });
  }

  /**
   * Returns the database from which a read gets its rows. This database shows the oldest rows that are still within the
   * lag.
   */
  replicaOf(database: Database): Database {
    while (this.#behind[0] !== undefined && this.#behind[0].until <= simulation().monotonic)
      this.#behind.shift();
    const [oldest] = this.#behind;
    return oldest === undefined ? database : this.replica().showing(oldest.before);
  }

  /** Ends the lag of replicas: reads see all writes. */
  catchUp(): void {
    this.#behind.length = 0;
  }
}
