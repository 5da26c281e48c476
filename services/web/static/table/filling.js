// Filling in: a form for a decision that nobody can list, made from what its game says of it.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";

const SHORT = 16; // letters of a choice that a narrow field shows whole

/**
 * @param {object} props
 * @param {object} props.form
 * @param {(decision: object) => Promise<string>} props.add what is wrong with it, or nothing
 * @param {() => void} props.close
 */
export function Filling({ form, add, close }) {
  const [values, fill] = useState(() => begun(form.fields));
  const [trouble, tell] = useState("");
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    const lacking = lacks(form.fields, values);
    if (lacking) {
      tell(lacking);
      return;
    }
    tell(await add(filledIn(form, values)));
  };
  return html`<dialog ref=${dialog} class="filling" aria-labelledby="filling-heading" onClose=${close}>
    <form onSubmit=${submit}>
      <h2 id="filling-heading">${form.label}</h2>
      <${Fields} id="field" fields=${form.fields} values=${values} fill=${fill} />
      ${trouble ? html`<p class="notice grave" role="alert">${trouble}</p>` : null}
      <div class="tray-buttons"><button class="button primary">Preview</button>
        <button type="button" class="button" onClick=${close}>Cancel</button></div>
    </form></dialog>`;
}

function begun(fields) {
  return Object.fromEntries(fields.map((field) => [field.name, first(field)]));
}

function first(field) {
  if (field.kind === "choice") {
    const known = field.choices.some((one) => same(one.value, field.value));
    return known ? field.value : field.choices.length ? field.choices[0].value : null;
  }
  return field.value ?? { text: "", number: field.low, choices: [], list: [] }[field.kind];
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function Fields({ id, fields, values, fill }) {
  return fields.map((field, at) => html`<${FieldOf} key=${field.name} id=${`${id}-${at}`} field=${field}
    value=${values[field.name]} put=${(value) => fill({ ...values, [field.name]: value })} />`);
}

function FieldOf(props) {
  const shown = { text: Text, number: Whole, choice: OneOf, choices: SomeOf, list: Parts };
  return html`<${shown[props.field.kind]} ...${props} />`;
}

function Note({ id, field }) {
  return field.note ? html`<span class="aside note" id=${`${id}-note`}>${field.note}</span>` : null;
}

function Text({ id, field, value, put }) {
  const heard = (event) => put(event.currentTarget.value);
  const given = { id, value, maxLength: field.high, onInput: heard };
  return html`<p class="field"><label for=${id}>${field.label}</label>
    ${field.high > 120 ? html`<textarea rows="3" ...${given}></textarea>` : html`<input ...${given} />`}
    <${Note} id=${id} field=${field} /></p>`;
}

function Whole({ id, field, value, put }) {
  return html`<p class="field"><label for=${id}>${field.label}</label>
    <input id=${id} type="number" inputmode="numeric" min=${field.low} max=${field.high} value=${value}
      onInput=${(event) => put(event.currentTarget.valueAsNumber)} required />
    <${Note} id=${id} field=${field} /></p>`;
}

function OneOf({ id, field, value, put }) {
  const at = field.choices.findIndex((one) => same(one.value, value));
  const long = field.choices.some((one) => one.label.length > SHORT);
  return html`<p class=${`field${long ? " wide" : ""}`}><label for=${id}>${field.label}</label>
    <select id=${id} onChange=${(event) => put(field.choices[event.currentTarget.selectedIndex].value)}>
      ${field.choices.map((one, number) => html`<option key=${number} selected=${number === at}>
        ${one.label}</option>`)}</select>
    <${Note} id=${id} field=${field} /></p>`;
}

function SomeOf({ field, value, put }) {
  const toggled = (one) => put(
    value.some((held) => same(held, one)) ? value.filter((held) => !same(held, one)) : [...value, one],
  );
  return html`<fieldset class="field"><legend>${field.label}</legend>
    <div class="boxes">${field.choices.map((one, at) => html`<label key=${at} class="box">
      <input type="checkbox" checked=${value.some((held) => same(held, one.value))}
        onChange=${() => toggled(one.value)} /> ${one.label}</label>`)}</div></fieldset>`;
}

function Parts({ id, field, value, put }) {
  const change = (at, part) => put(value.map((one, number) => (number === at ? part : one)));
  return html`<fieldset class="field parts"><legend>${field.label}</legend>
    ${field.note ? html`<p class="aside note">${field.note}</p>` : null}
    ${value.map((part, at) => html`<div class="part" role="group" key=${at}
      aria-label=${`${field.label}, ${at + 1}`}>
      <${Fields} id=${`${id}-${at}`} fields=${field.fields} values=${part}
        fill=${(next) => change(at, next)} />
      <button type="button" class="button small-button"
        onClick=${() => put(value.filter((_, number) => number !== at))}>Remove</button></div>`)}
    ${value.length < field.high ? html`<button type="button" class="button small-button"
      onClick=${() => put([...value, begun(field.fields)])}>Add one</button>` : null}</fieldset>`;
}

/** Finds a mistake in the values before the service is asked. */
function lacks(fields, values) {
  for (const field of fields) {
    const value = values[field.name];
    if (field.kind === "choices" && value.length < field.low) return `${field.label}: choose at least ${field.low}.`;
    if (field.kind === "text" && value.trim().length < field.low) return `${field.label}: write something.`;
    if (field.kind === "number" && !(value >= field.low && value <= field.high)) {
      return `${field.label}: a number from ${field.low} to ${field.high}.`;
    }
    if (field.kind !== "list") continue;
    for (const part of value) {
      const lacking = lacks(field.fields, part);
      if (lacking) return lacking;
    }
  }
  return "";
}

/** The decision: what stands in it anyway, with what was filled in at its place. */
function filledIn(form, values) {
  const decision = structuredClone(form.decision);
  for (const field of form.fields) {
    const path = field.name.split(".");
    const last = path.pop();
    const within = path.reduce((part, name) => part[name], decision);
    within[last] = given(field, values[field.name]);
  }
  return decision;
}

function given(field, value) {
  if (field.kind === "text") return value.trim();
  if (field.kind !== "choices") return value;
  const all = [...field.always, ...value];
  return all.every((one) => typeof one === "number") ? all.sort((one, other) => one - other) : all;
}
