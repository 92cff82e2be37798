import { crowdOfGroups, crowdOfProjects, filled } from "./crowd";
import { PAGE, PLACES } from "./habit-cases";
import { FIXTURE, GROUP, PEOPLE, PROJECT, startWorld, type World } from "./world";

/** The services on which the lives of objects are played. */
export interface HabitWorlds {
  readonly plain: World;
  /** A service whose lists have as many entries as a page. One more entry begins a second page. */
  readonly crowded: World;
  close(): Promise<void>;
}

const targets = (count: number): string[] => crowdOfProjects(count).map(({ path }) => path);

/** A project that is also on its own allowlist. */
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
  // The service reads this habit only at its start, so the test sets it here.
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
