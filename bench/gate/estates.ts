// The estates whose plans the gate measures. Each estate has its own service and state.
import path from "node:path";
import type { FixtureInput } from "../../src/service";
import { COLLECTIONS } from "../plan/collections";
import { countCalls } from "../support/calls";
import { type Measured, steward } from "../support/command";
import {
  configuredEstateFixture,
  estateResources,
  RESOURCES_A_PROJECT,
  type Resources,
} from "../support/estate";
import { floorOf } from "../support/floor";
import { ServiceProcess } from "../support/service-process";
import { StackFolder } from "../support/stack-folder";

export type Measurement = () => Promise<Measured>;

/** A set of objects that the gate plans. */
export interface Estate {
  readonly title: string;
  readonly count: number;
  /** The data of the service before the apply. */
  readonly fixture: FixtureInput;
  readonly resources: Resources;
  /**
   * True if the service has the objects before the apply, which then imports them. Importing objects is faster than
   * creating them.
   */
  readonly isLive?: boolean;
}

type Project = NonNullable<FixtureInput["projects"]>[number];
type Environment = NonNullable<Project["protected_environments"]>[number];

const collection = COLLECTIONS.find(({ name }) => name === "environments")!;

export const environments = (count: number): Estate => ({
  title: `${count.toLocaleString("en")} environments`,
  count,
  fixture: collection.fixture(count),
  resources: collection.resources(count),
});

/** Returns environments that exist on the service before the apply. */
export function liveEnvironments(count: number): Estate {
  const created = environments(count);
  const declared = Object.values(created.resources["steward_protected_environment"]!) as Environment[];
  const [project] = created.fixture.projects!;
  const live = declared.map(({ name, deploy_access_levels }) => ({ name, deploy_access_levels }));
  const projects = [{ ...project!, protected_environments: live }];
  return { ...created, fixture: { ...created.fixture, projects }, isLive: true };
}

export const objectsOfProjects = (count: number): Estate => ({
  title: `${count.toLocaleString("en")} objects of ${count / RESOURCES_A_PROJECT} projects`,
  count,
  fixture: configuredEstateFixture(count / RESOURCES_A_PROJECT),
  resources: estateResources(count / RESOURCES_A_PROJECT),
  isLive: true,
});

/** An estate after its apply, with its service. */
export class Applied {
  readonly #service: ServiceProcess;
  readonly #stack = new StackFolder();

  private constructor(service: ServiceProcess) {
    this.#service = service;
  }

  static async open({ fixture, resources, isLive = false }: Estate): Promise<Applied> {
    const applied = new Applied(await ServiceProcess.start({ fixture }));
    applied.#stack.declare(resources);
    try {
      await applied.run("apply", "--auto-approve", ...(isLive ? ["--import-existing"] : []));
      return applied;
    } catch (problem) {
      await applied.close();
      throw problem;
    }
  }

  run = (...words: readonly string[]): Promise<Measured> =>
    steward([...words, ...this.#stack.words], this.#service.env);

  /** Runs a command again, and returns the number of function calls in its program. */
  calls = (...words: readonly string[]): Promise<number> =>
    countCalls([...words, ...this.#stack.words], this.#service.env);

  /** Returns the number of requests since the last call. */
  async requests(): Promise<number> {
    return (await this.#service.counters()).requests;
  }

  /** Returns the paths of all reads since the last call. */
  pages = (): Promise<readonly string[]> => this.#service.pages();

  /**
   * Returns the measurement of a bare process. The process reads these pages and the files that the command reads. If
   * the command writes the state, the bare process writes it too.
   */
  floor(pages: readonly string[], writes: boolean): Measurement {
    const { path: folder, configuration, state } = this.#stack;
    return floorOf(this.#service, {
      job: path.join(folder, "floor.json"),
      pages,
      inputs: writes ? [configuration] : [configuration, state],
      ...(writes && { outputs: { [path.join(folder, "floor.tfstate")]: state } }),
    });
  }

  async close(): Promise<void> {
    this.#stack.remove();
    await this.#service.close();
  }
}
