export const firstNames = {
  m: 'alexey,andrey,anton,artem,boris,vadim,viktor,vlad,gleb,grisha,denis,dima,egor,ivan,igor,ilya,kirill,kostya,leonid,maxim,misha,nikita,nikolay,oleg,pavel,petr,roman,ruslan,sasha,sergey,stas,stepan,timur,fedor,yura,yaroslav',
  f: 'alina,alisa,anna,asya,vera,vika,galina,dasha,diana,eva,zhenya,zoya,inna,irina,katya,kira,ksenia,lena,liza,lida,lyuba,marina,masha,mila,nadya,natasha,nina,oksana,olga,polina,rita,sveta,sonya,tanya,ulyana,yulia',
};

/** Masculine forms; most feminine forms end in -a. */
export const surnames =
  'ivanov,petrov,smirnov,kuznetsov,popov,sokolov,lebedev,kozlov,novikov,morozov,volkov,zaytsev,pavlov,orlov,belov,komarov,kiselev,gusev,titov,kuzmin,baranov,kulikov,frolov,sorokin,zhukov,osipov,gavrilov,tarasov,belkin,shilov,savchenko,kovalenko,melnik,sidorenko,tkachuk,gerasimov,vorobyev,chernov,ryabov,karpov';

export const nicknames = {
  m: {
    adjectives: 'tihiy,ryzhiy,dobryy,severnyy,lunnyy,sonnyy,bodryy,hmuryy,lesnoy,rechnoy,prostoy,vecherniy',
    nouns: 'kot,volk,medved,les,chay,fonar,ezhik,veter,chitatel,sosed,barsuk,drozd,prohozhiy,borshch,samovar,kaktus',
  },
  f: {
    adjectives: 'tihaya,ryzhaya,dobraya,severnaya,lunnaya,sonnaya,bodraya,hmuraya,lesnaya,rechnaya,prostaya,zimnyaya',
    nouns: 'lisa,sova,belka,vesna,reka,luna,ptitsa,mysh,sosna,groza,malina,chayka,vishnya,kniga,knopka,bulochka',
  },
};
