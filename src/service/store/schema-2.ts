/** Terraform states with their locks. */
export const SECOND_SCHEMA = `
CREATE TABLE terraform_states (
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  name TEXT NOT NULL,
  content TEXT,
  lock TEXT,
  PRIMARY KEY (project_id, name)
) WITHOUT ROWID;
`;
