/** The protocol without tasks: the revisions that open a session with a handshake, and the stateless one. */
@NullMarked
package io.longhaul.protocol.dialect.plain;

import org.jspecify.annotations.NullMarked;
