/** The tools that a receiver serves, as its caller brings them. */
@NullMarked
package io.longhaul.peer.tool;

import org.jspecify.annotations.NullMarked;
