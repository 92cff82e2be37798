/** Merge requests with their versions, approvals and notes, and issues. There is no repository: heads are given. */
export const THIRD_SCHEMA = `
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
