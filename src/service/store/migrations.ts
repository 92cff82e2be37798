import type { Database } from "./database";
import { FIRST_SCHEMA } from "./schema-1";

/** Adds Terraform states with their locks. */
const SECOND_SCHEMA = `
CREATE TABLE terraform_states (
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  name TEXT NOT NULL,
  content TEXT,
  lock TEXT,
  PRIMARY KEY (project_id, name)
) WITHOUT ROWID;
`;

/**
 * Adds issues, and merge requests with their versions, approvals and notes. The service has no repository. Tests send
 * requests to set the heads of merge requests.
 */
const THIRD_SCHEMA = `
CREATE TABLE merge_requests (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  iid INTEGER NOT NULL,
  author_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  title TEXT NOT NULL,
  source_branch TEXT NOT NULL,
  target_branch TEXT NOT NULL,
  merge_commit_sha TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (project_id, iid)
);
CREATE TABLE merge_request_versions (
  id INTEGER PRIMARY KEY,
  merge_request_id INTEGER NOT NULL REFERENCES merge_requests ON DELETE CASCADE,
  sha TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX merge_request_versions_of ON merge_request_versions (merge_request_id);
CREATE TABLE merge_request_approvals (
  merge_request_id INTEGER NOT NULL REFERENCES merge_requests ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  approved_at TEXT NOT NULL,
  PRIMARY KEY (merge_request_id, user_id)
) WITHOUT ROWID;
CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  merge_request_id INTEGER NOT NULL REFERENCES merge_requests ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX notes_of ON notes (merge_request_id);
CREATE TABLE issues (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  iid INTEGER NOT NULL,
  author_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  title TEXT NOT NULL,
  description TEXT,
  labels TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (project_id, iid)
);
`;

/**
 * Stores invitations under the exact text of their address, and marks projects whose deletion is scheduled.
 * Administrators' tokens that an earlier release stored get the scope `admin_mode`.
 */
const FOURTH_SCHEMA = `
ALTER TABLE projects ADD COLUMN marked_for_deletion_on TEXT;
CREATE TABLE exact_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER REFERENCES projects ON DELETE CASCADE,
  group_id INTEGER REFERENCES namespaces ON DELETE CASCADE,
  email TEXT NOT NULL,
  queued_user_id INTEGER REFERENCES users ON DELETE CASCADE,
  access_level INTEGER NOT NULL,
  expires_at TEXT,
  member_role_id INTEGER REFERENCES member_roles ON DELETE SET NULL,
  invite_source TEXT,
  created_by_id INTEGER REFERENCES users,
  created_at TEXT NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL)),
  UNIQUE (project_id, email),
  UNIQUE (group_id, email)
);
INSERT INTO exact_invitations SELECT * FROM invitations;
DELETE FROM sqlite_sequence WHERE name = 'exact_invitations';
INSERT INTO sqlite_sequence (name, seq) SELECT 'exact_invitations', seq FROM sqlite_sequence WHERE name = 'invitations';
DROP TABLE invitations;
ALTER TABLE exact_invitations RENAME TO invitations;
UPDATE tokens SET scopes = '["api","admin_mode"]'
 WHERE name = 'administrator' AND scopes = '["api"]' AND user_id IN (SELECT id FROM users WHERE username = 'root');
`;

/** Adds the state of merge requests, and the squash commit. */
const FIFTH_SCHEMA = `
ALTER TABLE merge_requests ADD COLUMN state TEXT NOT NULL DEFAULT 'opened';
ALTER TABLE merge_requests ADD COLUMN squash_commit_sha TEXT;
UPDATE merge_requests SET state = 'merged' WHERE merge_commit_sha IS NOT NULL;
`;

/**
 * Adds pushes with the pusher, the branch and the commit. Heads that an earlier release stored get the author of the
 * merge request as the pusher.
 */
const SIXTH_SCHEMA = `
CREATE TABLE pushes (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  action TEXT NOT NULL,
  ref TEXT,
  sha TEXT,
  created_at TEXT NOT NULL
);
CREATE INDEX pushes_to ON pushes (project_id);
INSERT INTO pushes (project_id, author_id, action, ref, sha, created_at)
  SELECT m.project_id, m.author_id, 'pushed', m.source_branch, v.sha, v.created_at
  FROM merge_request_versions v JOIN merge_requests m ON m.id = v.merge_request_id ORDER BY v.id;
`;

/**
 * Adds pipelines, and the times of merges. A merge that an earlier release stored gets the creation time of its
 * merge request.
 */
const SEVENTH_SCHEMA = `
ALTER TABLE merge_requests ADD COLUMN merged_at TEXT;
UPDATE merge_requests SET merged_at = created_at WHERE state = 'merged';
CREATE TABLE pipelines (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  ref TEXT NOT NULL,
  sha TEXT NOT NULL,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX pipelines_of ON pipelines (project_id, sha);
`;

/** Adds emoji reactions to the comments of merge requests. */
const EIGHTH_SCHEMA = `
CREATE TABLE note_reactions (
  id INTEGER PRIMARY KEY,
  note_id INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (note_id, user_id, name)
);
`;

/** Adds jobs of pipelines with the files of their artifacts. */
const NINTH_SCHEMA = `
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  pipeline_id INTEGER NOT NULL REFERENCES pipelines ON DELETE CASCADE,
  name TEXT NOT NULL,
  stage TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX jobs_of ON jobs (pipeline_id);
CREATE TABLE job_artifacts (
  job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (job_id, path)
);
`;

/** Each entry migrates the schema to the next version. Released entries never change. */
const MIGRATIONS: readonly string[] = [
  FIRST_SCHEMA,
  SECOND_SCHEMA,
  THIRD_SCHEMA,
  FOURTH_SCHEMA,
  FIFTH_SCHEMA,
  SIXTH_SCHEMA,
  SEVENTH_SCHEMA,
  EIGHTH_SCHEMA,
  NINTH_SCHEMA,
];

/** The schema of this release as one script. The first migration of an empty database in this process sets this script. */
let wholeSchema: string | undefined;

const schemaOf = (database: Database): string =>
  database
    .all<{ sql: string }>(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .map(({ sql }) => `${sql};\n`)
    .join("");

const isEmpty = (database: Database): boolean =>
  database.one("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined;

/**
 * Migrates a database to the schema of this release, or to an earlier version, with one transaction per migration.
 * The version is SQLite's `user_version`. Tests start many services, so the second empty database of a process gets
 * the complete schema at once.
 *
 * @throws Error if a newer release wrote the file.
 */
export function migrate(database: Database, target = MIGRATIONS.length): void {
  const row = database.one<{ user_version: number }>("PRAGMA user_version");
  const version = row?.user_version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new Error(
      `The data file has schema version ${version}, this release knows up to ${MIGRATIONS.length}. ` +
        "It was written by a newer release: use that one, or start with another file.",
    );
  }
  const isNew = version === 0 && target === MIGRATIONS.length && isEmpty(database);
  if (isNew && wholeSchema !== undefined) {
    step(database, wholeSchema, target);
    return;
  }
  MIGRATIONS.slice(version, target).forEach((script, index) => {
    step(database, script, version + index + 1);
  });
  if (isNew) wholeSchema = schemaOf(database);
}

function step(database: Database, script: string, version: number): void {
  database.write(() => {
    database.script(script);
    database.script(`PRAGMA user_version = ${version}`);
  });
}
