import { loadFixture } from "../fixture/load";
import { readFixture } from "../fixture/source";
import { openDatabase } from "../store/database";
import { migrate } from "../store/migrations";

/**
 * Loads a fixture into an instance that is discarded, without listening.
 *
 * @param text the YAML text, with more than one line
 * @throws Error with the line of what the service refuses
 */
export async function checkFixture(text: string): Promise<void> {
  const source = await readFixture(text);
  const database = openDatabase();
  try {
    migrate(database);
    loadFixture(database, source);
  } finally {
    database.close();
  }
}
