import { EMAILS_FILE, EMAILS_VARIABLE, Emails } from "../model/emails";
import type { AdoptedFile, LiveSettings } from "../model/live-settings";
import { printHcl } from "./hcl";
import { printJson } from "./json";

/** How a configuration is written. */
interface ConfigurationOptions {
  readonly format: "hcl" | "json";
  /** Also declares settings that are at the service's default. */
  readonly allSettings: boolean;
  /** Writes the e-mail addresses of invitations into the configuration, rather than into a file that git ignores. */
  readonly includeEmails: boolean;
  /** Addresses by the names that an earlier adoption gave them. */
  readonly knownEmails?: Readonly<Record<string, string>>;
}

/** A configuration for Terraform that declares live settings: its files. The same settings give the same texts. */
export function writeConfiguration(settings: LiveSettings, options: ConfigurationOptions): AdoptedFile[] {
  const { format, allSettings, includeEmails, knownEmails } = options;
  const emails = new Emails(includeEmails, knownEmails);
  const print = format === "hcl" ? printHcl : printJson;
  const text = print(settings, { allSettings, emails });
  const hasEmailsFile = Object.keys(emails.addresses).length > 0;
  return [
    { path: format === "hcl" ? "main.tf" : "main.tf.json", text },
    ...(hasEmailsFile
      ? [
          {
            path: EMAILS_FILE,
            text: `${JSON.stringify({ [EMAILS_VARIABLE]: emails.addresses }, undefined, 2)}\n`,
          },
        ]
      : []),
    { path: ".gitignore", text: `${IGNORED.join("\n")}\n` },
  ];
}

const IGNORED = [
  ".terraform/",
  "# E-mail addresses of people.",
  EMAILS_FILE,
  "# States can hold more than the code; keep them where all users reach them.",
  "*.tfstate",
  "*.tfstate.*",
];
