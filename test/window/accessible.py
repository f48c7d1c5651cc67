#!/usr/bin/python3
"""Reads the window's accessibility tree as a screen reader does, and presses what it offers.

Run on the window's desktop with the system's Python, which has pyatspi (Debian: python3-pyatspi):

    accessible.py tree                   every named thing of the page, one a line: role TAB name TAB description
    accessible.py press ROLE NAME        does the first action of the thing with this role and beginning of its name
"""
import sys

import pyatspi


def page():
    """The document of Gatehouse's window, or None."""
    for app in pyatspi.Registry.getDesktop(0):
        if app is None:
            continue
        found = pyatspi.findDescendant(app, lambda a: a.getRole() == pyatspi.ROLE_DOCUMENT_WEB, breadth_first=True)
        if found is not None:
            return found
    return None


def walk(thing):
    yield thing
    for child in thing:
        if child is not None:
            yield from walk(child)


def described(thing):
    """Its description, or what it is described by."""
    if thing.description:
        return thing.description
    words = []
    for relation in thing.getRelationSet():
        if relation.getRelationType() == pyatspi.RELATION_DESCRIBED_BY:
            for i in range(relation.getNTargets()):
                words += [text(t) for t in walk(relation.getTarget(i))]
    return " ".join(words)


def text(thing):
    try:
        return thing.queryText().getText(0, -1).replace("\ufffc", "").strip()
    except NotImplementedError:
        return ""


def line(thing):
    flat = (thing.getRoleName(), thing.name or text(thing), described(thing))
    return "\t".join(" ".join(part.split()) for part in flat)


def main(arguments):
    root = page()
    if root is None:
        return "no page yet"
    if arguments == ["tree"]:
        for thing in walk(root):
            print(line(thing))
        return 0
    verb, role, name = arguments
    assert verb == "press"
    for thing in walk(root):
        if thing.getRoleName() == role and (thing.name or "").startswith(name):
            thing.queryAction().doAction(0)
            return 0
    return f"no {role} {name}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
