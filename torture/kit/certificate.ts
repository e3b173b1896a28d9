import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

export interface Certificate {
  certificate: string;
  key: string;
}

/** A certificate for this machine's loopback, made in a folder, which this process trusts from then on. */
export function makeCertificate(folder: string): Certificate {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const of = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-days', '2'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const args = ['req', '-x509', ...kind, ...of, '-keyout', key, '-out', certificate];
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);
  return { certificate, key };
}
