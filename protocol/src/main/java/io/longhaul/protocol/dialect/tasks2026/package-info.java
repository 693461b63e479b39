/** The stateless generation 2026-07-28 and its tasks extension. */
@NullMarked
package io.longhaul.protocol.dialect.tasks2026;

import org.jspecify.annotations.NullMarked;
