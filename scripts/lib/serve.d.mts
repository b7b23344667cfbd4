export interface ServeOptions {
  port?: number;
  isolated?: boolean;
  headers?: Record<string, string>;
}

export function serve(folder: string, options?: ServeOptions): Promise<{ address: string; close(): Promise<unknown> }>;
