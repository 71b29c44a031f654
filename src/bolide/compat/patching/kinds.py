"""Makes the objects that take the place of others.

Every call returns a new object. So the objects of `patch()` are never confused with those that a program
imports from bolide itself. They have the name, the documentation and the signature of the original, and can
be pickled like it. bolide is imported when they are first called.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from inspect import isfunction, signature
from typing import Any


@cache
def load(target: str) -> Any:
    module, _, name = target.rpartition(".")
    return getattr(import_module(module), name)


def function(original: Callable[..., Any], target: str) -> Callable[..., Any]:
    """A function that calls the target. The target may have more keywords; the original reports them.

    Arguments that are the defaults of the original are left to the target. NLTK's functions pass their
    default WordNet to each other, and bolide has its own.
    """
    parameters = signature(original).parameters
    defaults = {name: each.default for name, each in parameters.items()}
    optional = [name for name, each in parameters.items() if each.default is not each.empty]
    required = len(defaults) - len(optional)

    @wraps(original)
    def replacement(*arguments: Any, **named: Any) -> Any:
        if named or len(arguments) > required:
            others = dict(zip(optional, arguments[required:], strict=False))
            if len(arguments) > len(defaults) or others.keys() & named or not defaults.keys() >= named.keys():
                return original(*arguments, **named)  # which raises the right error
            given = {**others, **named}
            arguments = arguments[:required]
            named = {name: value for name, value in given.items() if value is not defaults[name]}
        return load(target)(*arguments, **named)

    return replacement


def around(original: Callable[..., Any], target: str) -> Callable[..., Any]:
    """A function that calls the target with the original as the first argument."""

    @wraps(original)
    def replacement(*arguments: Any, **named: Any) -> Any:
        return load(target)(original, *arguments, **named)

    return replacement


def subclass(original: type, target: str) -> type:
    """A class without arguments that is derived from the target.

    A program may have derived a class from the original before, and call `Meteor.__init__(self)` in it. So
    methods that get an object of the original pass it on to the original.
    """
    base = load(target)

    def __init__(self: Any) -> None:  # noqa: N807
        owner: Any = original if isinstance(self, original) else base
        owner.__init__(self)

    def method(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(own)
        def call(self: Any, *arguments: Any, **named: Any) -> Any:
            owner = original if isinstance(self, original) else base
            return getattr(owner, name)(self, *arguments, **named)

        return call

    shared = {name: own for name, own in vars(original).items() if isfunction(own) and hasattr(base, name)}
    names = ("__module__", "__qualname__", "__doc__")
    return type(
        original.__name__,
        (base,),
        {
            **{name: method(name, own) for name, own in shared.items()},
            "__init__": __init__,
            **{name: getattr(original, name) for name in names},
        },
    )


def instance(_original: object, target: str) -> object:
    return load(target)()


KINDS: dict[str, Callable[[Any, str], Any]] = {
    "function": function,
    "around": around,
    "subclass": subclass,
    "instance": instance,
}
