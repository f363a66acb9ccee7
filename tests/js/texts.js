// The texts of a language, those of screens with families of their own among them.

const fetched = async (name) => (await fetch(`/static/i18n/${name}.json`)).json();

/** The first page's texts with those of families such as "talk". */
export async function texts(lang, ...families) {
  return Object.assign({}, ...await Promise.all([lang, ...families.map((family) => `${family}.${lang}`)].map(fetched)));
}
