// The curl lines of /api contain these values. A test runs these lines after it has replaced each value by one of its wall, so no
// value may be a part of another one.

export const galina = { id: '31', username: 'galina_m', display_name: 'Галина', face: '🦊' };
/** Galina in schemas that have no id of the person. */
export const galinaByName = { username: galina.username, display_name: galina.display_name, face: galina.face };
export const boris = { id: '32', username: 'boris_k', display_name: null, face: null };
export const ownPostId = '1042';
export const otherPostId = '1017';
export const replyId = '1043';
export const sessionId = '508';
export const tokenId = '77';
export const invitationId = '6';
export const claimCode = '12-qkT0';
export const operationId = 'p3nUq7Zx';
export const clientToken = 'moya-programma';
export const confirmCode = '257494';
export const email = 'galina@example.org';
export const newEmail = 'galina.m@example.org';
export const newUsername = 'galina_petrova';
/** Black pictures of 1200 × 630 and 180 × 180. */
export const sharePicture =
  'iVBORw0KGgoAAAANSUhEUgAABLAAAAJ2AQAAAABnO0bxAAAAc0lEQVR42u3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAXg1zqQAB6RqMPAAAAABJRU5ErkJggg==';
export const homeIcon =
  'iVBORw0KGgoAAAANSUhEUgAAALQAAAC0AQAAAAAVtjufAAAAG0lEQVR42u3BAQ0AAADCoPdPbQ43oAAAAAC+DRDgAAFZGKaWAAAAAElFTkSuQmCC';
/** 1 January 2026, 12:00 UTC. */
export const at = 1_767_268_800;

const alone = { parent_post_id: null, replied_post_id: null, replied_post: null };

const question = {
  id: otherPostId,
  text: 'Кто знает хорошую пекарню у вокзала?',
  created_at: at,
  is_modified: false,
  owner: boris,
  actions: { is_liked: false, likes_count: 3, replies_count: 1, thread_count: 1, ...alone },
};

export const rootPost = question;

export const ownPost = {
  ...question,
  id: ownPostId,
  text: 'Сегодня открылся каток.',
  owner: galina,
  actions: { is_liked: false, likes_count: 0, replies_count: 0, thread_count: 0, ...alone },
};

/** A reply without its quoted post. */
export const quotedReply = {
  id: replyId,
  text: 'На Мира, 5: хлеб там с семи утра.',
  created_at: at + 90,
  is_modified: false,
  owner: galina,
  actions: {
    is_liked: false,
    likes_count: 1,
    replies_count: 0,
    thread_count: null,
    parent_post_id: otherPostId,
    replied_post_id: otherPostId,
    replied_post: null,
  },
};

export const reply = { ...quotedReply, actions: { ...quotedReply.actions, replied_post: question } };

export const onePage = <Item>(posts: Item[]) => ({
  posts,
  firstPage: 1,
  lastPage: 1,
  total: posts.length,
  next: null,
  previous: null,
});

export const device = { userAgent: 'curl', userAgentVersion: '8.5', os: 'Linux' };

export const operation = { id: operationId };

export const ownOperation = { id: operationId, email };

export const confirm = { confirmCode, clientToken };

export const tokens = { accessToken: { token: '412.1767269400.kq2Fh0vS', expiresAt: at + 600 } };

export const apiToken = { id: tokenId, name: 'бот погоды', scope: 'write', createdAt: at } as const;

export const because = { reason: 'Реклама: пункт 3 правил.' };

export const act = { act_id: '71' };

export const other = { id: otherPostId };

export const pushEndpoint = 'https://push.example.org/send/c2Vzc2lvbg';
/** The keys of the example in RFC 8291. */
export const pushKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
