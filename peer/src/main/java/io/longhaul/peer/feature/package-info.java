/** What a server offers: its tools, resources and prompts, as they are now. */
@NullMarked
package io.longhaul.peer.feature;

import org.jspecify.annotations.NullMarked;
