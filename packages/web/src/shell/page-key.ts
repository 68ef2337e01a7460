// Whether a key that was pressed is meant for the page: not for a field, and not for a menu or a dialog above it.

export function isTyping({ target }: Event): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

/** A key that is held down means what it meant once: a job must not be run again thirty times a second. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || isTyping(event)) return false
  return !(event.metaKey || event.ctrlKey || event.altKey || isCovered())
}

function isCovered(): boolean {
  const above = document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')
  return [...above].some((each) => each.checkVisibility())
}
