import styles from './form-page.module.css';

export const DeletionConsequences = ({ username }: { username: string }) => (
  <ul className={styles.consequences}>
    <li>Ваши записи, ответы и отметки «Нравится» исчезнут со стены.</li>
    <li>
      Имя <bdi>{username}</bdi> больше никто не получит, даже вы.
    </li>
    <li>Все сеансы завершатся сразу, на всех устройствах.</li>
    <li>Отменить удаление и вернуть что-либо будет нельзя.</li>
  </ul>
);
