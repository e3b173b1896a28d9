import type * as keep from '../keep.ts';
import type { ExamplesOf } from './example.ts';
import { at, galina } from './values.ts';

const settings = {
  name: 'Двор на Садовой',
  line: 'О чём говорят в нашем дворе',
  contact: 'mailto:dvor@example.org',
  registration: 'invite' as const,
  readers: 'everyone' as const,
  gate_posts: 1,
  gate_hours: 24,
};
const terms = { invite_days: 14, invite_posts: 5, invite_links: 3 };
const rules = { name: 'rules' as const };
const markdown = '# Правила\n\nПишите так, как говорили бы с соседями.\n';
const state = {
  settings,
  invite_terms: terms,
  texts: [{ ...rules, source: 'wall' as const, markdown }],
  keepers: [{ ...galina, role: 'owner' as const }],
  first_steps: { about: true, rules: true, mail: false, post: true, invite: false },
  health: {
    version: '1.0.0',
    last_backup: at,
    copy_check: { at, posts: 20_134, differences: 0, failure: null },
    disk: { free: 21_474_836_480, size: 42_949_672_960 },
  },
};

export const keepExamples: ExamplesOf<typeof keep> = {
  getKeep: { reply: state },
  putKeepSettings: { body: { ...settings, invite_terms: terms }, reply: state },
  putKeepText: { params: rules, body: { markdown }, reply: state },
  previewKeepText: {
    params: rules,
    body: { markdown },
    reply: { title: 'Правила', html: '<p>Пишите так, как говорили бы с соседями.</p>\n' },
  },
  checkMail: {
    reply: {
      findings: [
        { check: 'SPF', state: 'missing', text: 'TXT для example.org', expected: 'v=spf1 mx -all', found: [] },
        { check: 'Письмо', state: 'good', text: 'почтовый сервер принял пробное письмо для galina@example.org' },
      ],
    },
  },
};
