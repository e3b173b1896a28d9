import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName, deviceName, lastActive, systemName } from './describe-session.ts';

test('names a device by its browser and major version', () => {
  assert.equal(deviceName({ userAgent: 'Chrome', userAgentVersion: '142.0.7444.60', os: 'Windows 11' }), 'Chrome 142');
  assert.equal(deviceName({ userAgent: 'Firefox', userAgentVersion: '', os: '' }), 'Firefox');
  assert.equal(deviceName({ userAgent: '', userAgentVersion: '', os: '' }), 'Неизвестный браузер');
});

test('names an unknown browser and system', () => {
  assert.equal(browserName(''), 'Неизвестный браузер');
  assert.equal(systemName(''), 'Неизвестная система');
  assert.equal(systemName('macOS Sequoia'), 'macOS Sequoia');
});

test('gives the last activity in whole units', () => {
  assert.equal(lastActive(1_000, 1_059), 'только что');
  assert.equal(lastActive(1_000, 1_060), '1 мин. назад');
  assert.equal(lastActive(1_000, 1_000 + 3 * 86_400), '3 дн. назад');
  assert.equal(lastActive(1_060, 1_000), 'только что', 'clocks differ a little');
});
