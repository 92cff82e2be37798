import { crowdOfGroups, crowdOfProjects, filled } from "./crowd";
import { PAGE, PLACES } from "./habit-cases";
import { FIXTURE, GROUP, PEOPLE, PROJECT, startWorld, type World } from "./world";

/** The services that lives run on. */
export interface HabitWorlds {
  readonly plain: World;
  /** Lists have as many entries as a page, so that one more begins a second page. */
  readonly crowded: World;
  close(): Promise<void>;
}

const targets = (count: number): string[] => crowdOfProjects(count).map(({ path }) => path);

/** A project is on its own allowlist. */
const fullScope = {
  inbound_enabled: false,
  projects: targets(PAGE - 1),
  groups: crowdOfGroups(PAGE).map(({ path }) => path),
};

const withFormerPath = FIXTURE.projects!.map((project) =>
  project.id === PROJECT.web ? { ...project, former_paths: [PLACES.former.path] } : project,
);

/** Starts both services. */
export async function startHabitWorlds(): Promise<HabitWorlds> {
  const hidden = { path: "vault/keys", id: 9 };
  const fixture = {
    ...FIXTURE,
    groups: [...FIXTURE.groups!, { path: "vault", id: 14 }],
    projects: [
      ...withFormerPath,
      hidden,
      {
        ...PLACES.unseen,
        ...PEOPLE,
        job_token_scope: { inbound_enabled: false, projects: [hidden.path] },
      },
    ],
  };
  // A habit that is read when the service starts.
  const plain = await startWorld(fixture, undefined, "strict", ["public-template-word"]);
  const crowded = await startWorld({
    ...FIXTURE,
    groups: [
      ...FIXTURE.groups!.map((group) =>
        group.id === GROUP.platform ? { ...group, ...filled("group", PAGE) } : group,
      ),
      ...crowdOfGroups(PAGE + 1),
    ],
    projects: [
      ...FIXTURE.projects!.map((project) =>
        project.id === PROJECT.web
          ? { ...project, ...filled("project", PAGE), job_token_scope: fullScope }
          : project,
      ),
      { ...PLACES.listed, job_token_scope: { inbound_enabled: true, projects: targets(PAGE - 1) } },
      ...crowdOfProjects(PAGE + 1),
    ],
  });
  return {
    plain,
    crowded,
    async close() {
      await plain.close();
      await crowded.close();
    },
  };
}
