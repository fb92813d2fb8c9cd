#define DUEL_MAIN
#include "duel.h"
