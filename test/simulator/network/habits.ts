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

/** The data before a write, which reads see until a moment of the monotonic clock. */
interface Behind {
  readonly before: Rows;
  readonly until: number;
}

/** The habits of the simulated service. They do what `src/service/server` does for the real one. */
export class ServiceHabits {
  readonly settings: ServiceSettings;
  /** Milliseconds for which reads see the data before a write. */
  readonly #lag: number;
  readonly #behind: Behind[] = [];
  /** Another object for each story: readings of lists are counted by database. */
  #view: Database | undefined;

  /** @param replica a database that can show earlier rows */
  constructor(
    names: readonly string[],
    lag: number,
    private readonly replica: () => Replica,
  ) {
    this.settings = { ...DEFAULT_SETTINGS, habits: chooseHabits({ habits: names }) };
    this.#lag = lag;
  }

  /** Sets the application settings of habits. */
  begin(database: Database): void {
    this.#switch(database, true);
  }

  /** Puts the settings back. */
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

  /** Whether a read has the same response until the next write. */
  get isRepeatable(): boolean {
    return !hasHabit(this.settings, shiftingLists) && !hasHabit(this.settings, laggingReplicas);
  }

  over(database: Database): { readonly settings: ServiceSettings; readonly database: Database } {
    this.#view ??= Object.create(database) as Database;
    return { settings: this.settings, database: this.#view };
  }

  /** The page that replaces the response to a write. */
  pageInsteadOf(method: string): ServiceResponse | undefined {
    return method !== "GET" && hasHabit(this.settings, signInPage) ? page(200, SIGN_IN_PAGE) : undefined;
  }

  notFoundPage(status: number): ServiceResponse | undefined {
    return status === 404 && hasHabit(this.settings, htmlNotFound) ? page(404, NOT_FOUND_PAGE) : undefined;
  }

  /** Keeps the data as they are before a write. */
  willWrite(database: Database): void {
    if (!hasHabit(this.settings, laggingReplicas) || !isSimulating()) return;
    this.#behind.push({ before: this.replica().rowsOf(database), until: simulation().monotonic + this.#lag });
  }

  /** The data that a read sees. */
  replicaOf(database: Database): Database {
    while (this.#behind[0] !== undefined && this.#behind[0].until <= simulation().monotonic)
      this.#behind.shift();
    const [oldest] = this.#behind;
    return oldest === undefined ? database : this.replica().showing(oldest.before);
  }

  /** Ends the lag of all replicas. */
  catchUp(): void {
    this.#behind.length = 0;
  }
}
