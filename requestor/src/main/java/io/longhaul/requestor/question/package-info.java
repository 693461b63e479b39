/** Answers to the requests that a server sends. */
@NullMarked
package io.longhaul.requestor.question;

import org.jspecify.annotations.NullMarked;
