interface Format {
  /** The file extension that stands for it. */
  readonly extension: string;
  /** What the help says behind the extension. */
  readonly note?: string;
}

/** The formats of reports, in the order of the help. `reports/write.ts` has their writers. */
export const FORMATS = {
  markdown: { extension: ".md" },
  html: { extension: ".html" },
  junit: { extension: ".xml", note: " (JUnit)" },
  widget: { extension: ".widget.json" },
  json: { extension: ".json" },
} satisfies Readonly<Record<string, Format>>;

export type ReportFormat = keyof typeof FORMATS;

const ALL = Object.entries(FORMATS) as readonly (readonly [ReportFormat, Format])[];

/** The format of a file, by its extension; the longest extension decides. */
export const formatOf = (file: string): ReportFormat | undefined =>
  ALL.filter(([, { extension }]) => file.toLowerCase().endsWith(extension)).sort(
    ([, one], [, other]) => other.extension.length - one.extension.length,
  )[0]?.[0];

export const FORMAT_NAMES = ALL.map(([name]) => name);

/** The extensions as the help lists them. */
export const EXTENSIONS = ALL.map(([, { extension, note = "" }]) => `${extension}${note}`);
