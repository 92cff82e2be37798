/** The service that a test runs against: that of `startService`, or another one on this machine. */
export interface ServiceOfTest {
  readonly url: string;
  /** The token of an administrator, for questions about access; also that of the app by default. */
  readonly adminToken: string;
}
